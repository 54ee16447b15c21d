import { Kinora } from '@kinora/client';
import { waitFor } from '@kinora/testing';
import { openKey } from '../../support/operator';
import type { ClientTestBed } from './test-bed';

const PATIENT = { timeoutMs: 60_000 };
const PROMPT = { model: 'fast-image', prompt: 'a lighthouse' };

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

export function describeOperations(testBed: ClientTestBed): void {
  describe('the operations of an account', () => {
    let administrator: Kinora;
    let webhookSecret: string;
    let baseURL: string;
    const hook = () => `https://127.0.0.1:${testBed.receiver.port}/hook`;
    const withKey = (apiKey: string) => new Kinora({ apiKey, baseURL });

    beforeAll(async () => {
      const opened = await testBed.openAccount();
      const { apiKey } = await openKey(testBed.stack, {
        account_id: opened.accountId,
        ...{ name: 'administrator', scope: 'account' },
      });
      baseURL = opened.direct.KINORA_BASE_URL;
      administrator = withKey(apiKey);
      webhookSecret = opened.webhookSecret;
    });
    beforeEach(() => testBed.receiver.requests.splice(0));

    it('creates, lists, rotates and revokes keys, and each may what its scope says', async () => {
      const { keys } = administrator;
      const readOnly = await keys.create({ name: 'reader', scope: 'read' });
      const reader = withKey(readOnly.api_key);
      expect((await reader.account.get()).currency).toBe('USD');
      const refused = { name: 'PermissionDeniedError', status: 403, code: 'scope_required' };
      await expect(reader.images.create(PROMPT)).rejects.toMatchObject(refused);
      const writer = withKey((await keys.create({ name: 'writer' })).api_key);
      expect((await writer.images.create(PROMPT)).object).toBe('job');
      await expect(writer.keys.list()).rejects.toMatchObject(refused);
      const listed = await all(keys.list({ limit: 2 }));
      expect(listed.map(({ name }) => name).sort()).toEqual(['administrator', 'default', 'reader', 'writer']);
      expect(JSON.stringify(listed)).not.toContain(readOnly.api_key);

      const renewed = await keys.rotate(readOnly.id, { overlap_seconds: 0 });
      expect((await withKey(renewed.api_key).account.get()).currency).toBe('USD');
      const isRefused = (client: Kinora) => () =>
        client.account.get().then(
          () => false,
          (error: Error) => error.name === 'AuthenticationError',
        );
      await waitFor(isRefused(reader), PATIENT);
      expect(await keys.revoke(renewed.id)).toMatchObject({ id: renewed.id, deleted: true });
      await waitFor(isRefused(withKey(renewed.api_key)), PATIENT);
    });

    it('quotes a price that a job then has, and shows it in the statement and the usage', async () => {
      const quote = await administrator.quotes.create({ operation: 'images.generations', request: PROMPT });
      expect(quote).toMatchObject({ model: 'fast-image', would_be_accepted: true, refusals: [] });
      const job = await administrator.images.generate(PROMPT, { quote: quote.id ?? undefined });
      expect(job.usage.charged_micros).toBe(quote.price?.micros);
      const entries = await waitFor(async () => {
        const all = (await administrator.account.statement({ limit: 100 })).data;
        const ofJob = all.filter(({ job_id }) => job_id === job.id);
        return ofJob.length === 2 && ofJob;
      }, PATIENT);
      expect(entries.map(({ kind }) => kind)).toEqual(['capture', 'reserve']);
      const kinds = (await all(administrator.account.statement({ limit: 2 }))).map(({ kind }) => kind);
      expect(kinds.at(-1)).toMatch(/top_up|credit/);
      expect(kinds.length).toBeGreaterThan(2);
      const usage = await waitFor(async () => {
        const read = await administrator.usage.get({ groupBy: 'model' });
        return read.total.succeeded > 0 && read;
      }, PATIENT);
      expect(usage).toMatchObject({ group_by: 'model', data: [{ model: 'fast-image' }] });
      expect((await administrator.usage.get({ from: '2026-01-01', to: '2026-01-02' })).total.jobs).toBe(0);
    });

    it('lists models and LoRAs, and uses one', async () => {
      const models = await all(administrator.models.list());
      expect(models.map(({ id }) => id)).toContain('fast-image');
      const [lora] = await all(administrator.loras.list({ model: 'fast-image' }));
      expect(lora).toMatchObject({
        object: 'lora',
        compatible_models: expect.arrayContaining(['fast-image']) as unknown,
      });
      const loras = [{ id: lora?.id ?? '', strength: 0.5 }];
      expect((await administrator.images.generate({ ...PROMPT, loras })).input).toMatchObject({ loras });
    });

    it('sends a test event that `unwrap` accepts, also with the next secret', async () => {
      const { webhooks, deliveries } = administrator;
      const received = async (count: number) => {
        const requests = () => testBed.receiver.requests;
        await waitFor(() => requests().length === count, PATIENT);
        return requests()[count - 1] ?? { body: Buffer.alloc(0), headers: {} };
      };
      const { id } = await webhooks.test({ url: hook() });
      const first = await received(1);
      expect(webhooks.unwrap(first.body, first.headers, webhookSecret)).toMatchObject({ type: 'job.succeeded' });
      const delivery = await waitFor(async () => {
        const details = await deliveries.get(id);
        return details.status === 'delivered' && details;
      }, PATIENT);
      expect(delivery.attempts).toMatchObject([{ response_status: 200 }]);

      const { webhook_secret } = await webhooks.rotateSecret({ overlap_seconds: 600 });
      const again = await deliveries.redeliver(id);
      expect(again).toMatchObject({ redelivery_of: id, event_id: delivery.event_id });
      const second = await received(2);
      expect(second.body).toEqual(first.body);
      for (const secret of [webhook_secret, webhookSecret, [webhook_secret, 'whsec_older']])
        expect(webhooks.unwrap(second.body, second.headers, secret).id).toBe(delivery.event_id);
      expect(() => webhooks.unwrap(second.body, second.headers, 'whsec_other')).toThrow('another one');
      const listed = await all(deliveries.list({ host: `127.0.0.1:${testBed.receiver.port}`, limit: 1 }));
      expect(listed.map((one) => one.id)).toEqual([again.id, id]);
    });
  });
}
