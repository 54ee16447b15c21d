import { waitFor } from '@kinora/testing';
import OpenAI from 'openai';
import type { Client } from 'pg';
import { CuttingProxy } from '../support/cutting-proxy';
import { LocalStack } from '../support/local-stack';
import { openAccount, verifyLedger } from '../support/operator';

const CALLS = 100;
const AT_ONCE = 50;
const PRICE_MICROS = 5_000;
/** Each image is so small that drawing it takes little of the test's time. */
const CATALOG = {
  models: [
    {
      id: 'tiny-image',
      type: 'image',
      label: 'Tiny image',
      capabilities: { t2i: true, sizes: ['128x128'], max_n: 1, max_refs: 0, sandbox: true },
      price: { micros: PRICE_MICROS, per: 'image' },
      sync_wait_ms: 10_000,
      routes: [{ provider: 'sandbox' }],
    },
    {
      id: 'full-image',
      type: 'image',
      label: 'Image without capacity in time',
      capabilities: { t2i: true, sizes: ['128x128'], max_n: 1, max_refs: 0, sandbox: true },
      price: { micros: PRICE_MICROS, per: 'image' },
      queue_timeout_ms: 1_000,
      routes: [{ provider: 'sandbox' }],
    },
  ],
};
const SLOW = { model: 'tiny-image', prompt: '[[delay:3s]] dunes' } as const;

describe('repeats of clients of OpenAI, which send no Idempotency-Key', () => {
  let stack: LocalStack;
  let proxy: CuttingProxy;
  let database: Client;

  beforeAll(async () => {
    stack = await LocalStack.start({ env: { KINORA_REPLICAS: 'gateway=2' }, config: { 'catalog.yaml': CATALOG } });
    proxy = await CuttingProxy.start((await stack.describe()).base_url);
    database = await stack.connect();
  }, 120_000);

  afterEach(() => void (proxy.cuts = () => false));

  afterAll(async () => {
    await proxy.close();
    await stack.stop();
  });

  /** A new account, and its clients at the proxy and at both gateways. */
  async function open() {
    const { accountId, apiKey, client } = await openAccount(stack);
    const { processes } = await stack.describe();
    const clientAt = (address: string) => new OpenAI({ apiKey, baseURL: new URL('/openai/v1', address).href });
    const [first, second] = ['gateway', 'gateway-2'].map((name) => clientAt(processes[name]?.base_url ?? ''));
    if (!first || !second) throw new Error('The stack has no two gateways.');
    // The first gateway may still be restarting after it was killed.
    const readBalance = () => waitFor(() => client.balanceMicros().catch(() => null));
    const before = await readBalance();
    const hasPaidFor = (jobs: number) =>
      waitFor(async () => before - (await readBalance()) === jobs * PRICE_MICROS || null);
    return { accountId, proxied: clientAt(proxy.origin), first, second, hasPaidFor };
  }

  const countJobs = async (accountId: string): Promise<Record<string, number>> => {
    const count = 'SELECT status, count(*)::integer AS jobs FROM jobs.job WHERE account_id = $1 GROUP BY status';
    const { rows } = await database.query<{ status: string; jobs: number }>(count, [accountId]);
    return Object.fromEntries(rows.map(({ status, jobs }) => [status, jobs]));
  };
  const whenCreated = (accountId: string, jobs = 1) =>
    waitFor(
      async () => Object.values(await countJobs(accountId)).reduce((sum, each) => sum + each, 0) === jobs || null,
    );

  /** Kills the first gateway, and does not wait until it has been restarted. */
  async function killFirstGateway(): Promise<void> {
    const { pid } = (await stack.describe()).processes['gateway'] ?? {};
    if (pid === undefined) throw new Error('The stack has no gateway.');
    process.kill(pid, 'SIGKILL');
  }

  it(`of ${CALLS} calls whose first connections are cut after the request make ${CALLS} jobs, paid once each`, async () => {
    const { proxied, accountId, hasPaidFor } = await open();
    proxy.cutCount = 0;
    proxy.cuts = (headers) => headers['x-stainless-retry-count'] === '0';
    const calls = Array.from({ length: CALLS }, (_, place) => `boat ${place}`);
    const images = new Set<string>();
    const work = async (): Promise<void> => {
      for (let prompt = calls.shift(); prompt !== undefined; prompt = calls.shift()) {
        const { data } = await proxied.images.generate({ model: 'tiny-image', prompt });
        images.add(data?.[0]?.b64_json ?? '');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect([proxy.cutCount, images.size]).toEqual([CALLS, CALLS]);
    expect(await countJobs(accountId)).toEqual({ succeeded: CALLS });
    await hasPaidFor(CALLS);
    expect(await verifyLedger(stack)).toEqual({ ok: true, violations: [] });
  }, 600_000);

  it('that are none, but equal calls at the same time, make two jobs: at one gateway and at two', async () => {
    for (const gateways of ['one', 'two']) {
      const { accountId, first, second, hasPaidFor } = await open();
      const other = gateways === 'one' ? first : second;
      await Promise.all([first, other].map((client) => client.images.generate(SLOW)));
      expect(await countJobs(accountId)).toEqual({ succeeded: 2 });
      await hasPaidFor(2);
    }
  }, 120_000);

  it('by the client itself, of a call whose gateway was killed before its answer, make no second job', async () => {
    const { accountId, first, hasPaidFor } = await open();
    const call = first.images.generate(SLOW, { maxRetries: 20 });
    await whenCreated(accountId);
    await killFirstGateway();
    expect((await call).data).toHaveLength(1);
    expect(await countJobs(accountId)).toEqual({ succeeded: 1 });
    await hasPaidFor(1);
  }, 120_000);

  it.each([
    ['make a second job', {}, 2],
    ['make none with an Idempotency-Key', { 'Idempotency-Key': 'mine' }, 1],
  ])(
    'without any mark, of a call whose gateway was killed before its answer, %s',
    async (_, headers, jobs) => {
      const { accountId, first, second, hasPaidFor } = await open();
      const call = (client: OpenAI) => client.images.generate(SLOW, { maxRetries: 0, headers });
      const cutOff = call(first).catch((error: unknown) => error);
      await whenCreated(accountId);
      await killFirstGateway();
      expect(await cutOff).toBeInstanceOf(OpenAI.APIConnectionError);
      expect((await call(second)).data).toHaveLength(1);
      await waitFor(async () => (await countJobs(accountId))['succeeded'] === jobs || null);
      expect(await countJobs(accountId)).toEqual({ succeeded: jobs });
      await hasPaidFor(jobs);
      expect(await verifyLedger(stack)).toEqual({ ok: true, violations: [] });
    },
    120_000,
  );

  it.each([
    ['with a mark make no second job', 1, 1],
    ['without a mark make a second job', 0, 2],
  ])(
    'behind a proxy that hides the hang-up %s',
    async (_, maxRetries, jobs) => {
      const { accountId, proxied, hasPaidFor } = await open();
      let sent = 0;
      proxy.cuts = () => (sent += 1) === 1 && 'client';
      const call = proxied.images.generate(SLOW, { maxRetries }).catch(() => proxied.images.generate(SLOW));
      await whenCreated(accountId, jobs);
      expect((await call).data).toHaveLength(1);
      await waitFor(async () => (await countJobs(accountId))['succeeded'] === jobs || null);
      expect([sent, await countJobs(accountId)]).toEqual([2, { succeeded: jobs }]);
      await hasPaidFor(jobs);
    },
    120_000,
  );

  it('by the client itself, of calls whose whole answers were lost on their way, make no second job', async () => {
    const { accountId, proxied, hasPaidFor } = await open();
    proxy.cutCount = 0;
    proxy.cuts = (headers) => headers['x-stainless-retry-count'] !== '2' && 'answer';
    // An answer of a few hundred bytes has left the gateway before the proxy can drop it.
    const call = () => proxied.images.generate({ model: 'tiny-image', prompt: 'a pier', response_format: 'url' });
    const links = [await call(), await call()].map(({ data }) => new URL(data?.[0]?.url ?? '').pathname);
    expect([proxy.cutCount, new Set(links).size]).toEqual([4, 2]);
    expect(await countJobs(accountId)).toEqual({ succeeded: 2 });
    await hasPaidFor(2);
  }, 120_000);

  it('by the client itself, of a call whose job has found no capacity, make a new job each', async () => {
    const { accountId, first, hasPaidFor } = await open();
    const call = first.images.generate({ model: 'full-image', prompt: '[[fail:capacity]] a pier' }, { maxRetries: 2 });
    await expect(call).rejects.toMatchObject({ status: 503, code: 'capacity' });
    expect(await countJobs(accountId)).toEqual({ failed: 3 });
    await hasPaidFor(0);
  }, 120_000);
});
