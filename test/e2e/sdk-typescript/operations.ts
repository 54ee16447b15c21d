import { Kinora } from '@kinora/client';
import { type HttpsReceiver, waitFor } from '@kinora/testing';
import { openKey } from '../../support/operator';
import type { ClientTestBed } from './test-bed';

const PATIENT = { timeoutMs: 60_000 };
const PROMPT = { model: 'fast-image', prompt: 'a lighthouse' };

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** An account with a key that may administer it. */
class Administration {
  administrator!: Kinora;
  webhookSecret!: string;
  receiver!: HttpsReceiver;
  private baseURL!: string;

  async open(testBed: ClientTestBed): Promise<void> {
    const { accountId, direct, webhookSecret } = await testBed.openAccount();
    const request = { account_id: accountId, name: 'administrator', scope: 'account' } as const;
    this.baseURL = direct.KINORA_BASE_URL;
    this.administrator = this.withKey((await openKey(testBed.stack, request)).apiKey);
    this.webhookSecret = webhookSecret;
    this.receiver = testBed.receiver;
  }

  /** Where webhooks arrive. */
  get hook(): string {
    return `https://127.0.0.1:${this.receiver.port}/hook`;
  }

  withKey(apiKey: string): Kinora {
    return new Kinora({ apiKey, baseURL: this.baseURL });
  }
}

export function describeOperations(testBed: ClientTestBed): void {
  describe('the operations of an account', () => {
    const account = new Administration();
    beforeAll(() => account.open(testBed));
    beforeEach(() => void account.receiver.requests.splice(0));

    testKeys(account);
    testMoney(account);
    testCatalog(account);
    testWebhooks(account);
  });
}

function testKeys(account: Administration): void {
  it('creates, lists, rotates and revokes keys, and each may what its scope says', async () => {
    const { keys } = account.administrator;
    const readOnly = await keys.create({ name: 'reader', scope: 'read' });
    const reader = account.withKey(readOnly.api_key);
    expect((await reader.account.get()).currency).toBe('USD');
    const refused = { name: 'PermissionDeniedError', status: 403, code: 'scope_required' };
    await expect(reader.images.create(PROMPT)).rejects.toMatchObject(refused);
    const writer = account.withKey((await keys.create({ name: 'writer' })).api_key);
    expect((await writer.images.create(PROMPT)).object).toBe('job');
    await expect(writer.keys.list()).rejects.toMatchObject(refused);
    const listed = await all(keys.list({ limit: 2 }));
    expect(listed.map(({ name }) => name).sort()).toEqual(['administrator', 'default', 'reader', 'writer']);
    expect(JSON.stringify(listed)).not.toContain(readOnly.api_key);

    const renewed = await keys.rotate(readOnly.id, { overlap_seconds: 0 });
    expect((await account.withKey(renewed.api_key).account.get()).currency).toBe('USD');
    const isRefused = (client: Kinora) => () =>
      client.account.get().then(
        () => false,
        (error: Error) => error.name === 'AuthenticationError',
      );
    await waitFor(isRefused(reader), PATIENT);
    expect(await keys.revoke(renewed.id)).toMatchObject({ id: renewed.id, deleted: true });
    await waitFor(isRefused(account.withKey(renewed.api_key)), PATIENT);
  });
}

function testMoney(account: Administration): void {
  it('quotes a price that a job then has, and shows it in the statement and the usage', async () => {
    const quote = await account.administrator.quotes.create({ operation: 'images.generations', request: PROMPT });
    expect(quote).toMatchObject({ model: 'fast-image', would_be_accepted: true, refusals: [] });
    const job = await account.administrator.images.generate(PROMPT, { quote: quote.id ?? undefined });
    expect(job.usage.charged_micros).toBe(quote.price?.micros);
    const entries = await waitFor(async () => {
      const { data } = await account.administrator.account.statement({ limit: 100 });
      const ofJob = data.filter(({ job_id }) => job_id === job.id);
      return ofJob.length === 2 && ofJob;
    }, PATIENT);
    expect(entries.map(({ kind }) => kind)).toEqual(['capture', 'reserve']);
    const kinds = (await all(account.administrator.account.statement({ limit: 2 }))).map(({ kind }) => kind);
    expect(kinds.at(-1)).toMatch(/top_up|credit/);
    expect(kinds.length).toBeGreaterThan(2);
    const usage = await waitFor(async () => {
      const read = await account.administrator.usage.get({ groupBy: 'model' });
      return read.total.succeeded > 0 && read;
    }, PATIENT);
    expect(usage).toMatchObject({ group_by: 'model', data: [{ model: 'fast-image' }] });
    expect((await account.administrator.usage.get({ from: '2026-01-01', to: '2026-01-02' })).total.jobs).toBe(0);
  });
}

function testCatalog(account: Administration): void {
  it('lists models and LoRAs, and uses one', async () => {
    const models = await all(account.administrator.models.list());
    expect(models.map(({ id }) => id)).toContain('fast-image');
    const [lora] = await all(account.administrator.loras.list({ model: 'fast-image' }));
    expect(lora).toMatchObject({
      object: 'lora',
      compatible_models: expect.arrayContaining(['fast-image']) as unknown,
    });
    const loras = [{ id: lora?.id ?? '', strength: 0.5 }];
    expect((await account.administrator.images.generate({ ...PROMPT, loras })).input).toMatchObject({ loras });
  });
}

function testWebhooks(account: Administration): void {
  it('sends a test event that `unwrap` accepts, also with the next secret', async () => {
    const { webhooks, deliveries } = account.administrator;
    const received = (deliveryId: string) =>
      waitFor(
        () => account.receiver.requests.find(({ headers }) => headers['x-service-delivery'] === deliveryId),
        PATIENT,
      );
    const { id } = await webhooks.test({ url: account.hook });
    const first = await received(id);
    expect(webhooks.unwrap(first.body, first.headers, account.webhookSecret)).toMatchObject({ type: 'job.succeeded' });
    const delivery = await waitFor(async () => {
      const details = await deliveries.get(id);
      return details.status === 'delivered' && details;
    }, PATIENT);
    expect(delivery.attempts).toMatchObject([{ response_status: 200 }]);

    const { webhook_secret } = await webhooks.rotateSecret({ overlap_seconds: 600 });
    const again = await deliveries.redeliver(id);
    expect(again).toMatchObject({ redelivery_of: id, event_id: delivery.event_id });
    const second = await received(again.id);
    expect(second.body).toEqual(first.body);
    for (const secret of [webhook_secret, account.webhookSecret, [webhook_secret, 'whsec_older']])
      expect(webhooks.unwrap(second.body, second.headers, secret).id).toBe(delivery.event_id);
    expect(() => webhooks.unwrap(second.body, second.headers, 'whsec_other')).toThrow('another one');
    const listed = await all(deliveries.list({ host: `127.0.0.1:${account.receiver.port}`, limit: 1 }));
    expect(listed.map((one) => one.id)).toEqual([again.id, id]);
  });
}
