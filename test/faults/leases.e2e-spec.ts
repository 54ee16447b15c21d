import { TestBroker, waitFor } from '@kinora/testing';
import type { Client } from 'pg';
import type { Answer, ApiClient, ErrorBody } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount, openKey, setLimits, setStatus } from '../support/operator';

const GATEWAYS = 4;
const RPM = 600;
/** Enough that a gateway asks for a lease. */
const WARM_UP = 6;
const LEASES_OF = `SELECT count(*)::integer AS leases FROM billing.rate_bucket JOIN billing.api_key ON api_key.id = api_key_id
  WHERE account_id = $1 AND leased_micros > 0 AND leased_until > clock_timestamp()`;
/** A broker that drops the signals, as a lost connection would, and passes everything else. */
const WITHOUT_SIGNALS = `
no_auth_user: all
authorization { users: [
  { user: all, password: none, permissions: { publish: { deny: ["billing.v1.signal.>"] } } }
] }
`;

describe.each([
  ['whose signals arrive', ''],
  ['whose signals are lost', WITHOUT_SIGNALS],
])(`tokens leased by ${GATEWAYS} gateways %s`, (_name, brokerSettings) => {
  let broker: TestBroker;
  let stack: LocalStack;
  let database: Client;

  beforeAll(async () => {
    broker = await TestBroker.start(brokerSettings);
    const env = { NATS_URL: broker.url, KINORA_REPLICAS: `gateway=${GATEWAYS},billing=2` };
    stack = await LocalStack.start({ smallImages: true, env });
    database = await stack.connect();
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await broker.close();
  });

  async function atEachGateway(client: ApiClient): Promise<ApiClient[]> {
    const { processes } = await stack.describe();
    return Object.values(processes).flatMap(({ base_url }) => (base_url === undefined ? [] : client.at(base_url)));
  }

  const poll = (client: ApiClient): Promise<Answer> => client.get('/models');
  const areLeased = async (accountId: string): Promise<boolean> =>
    ((await database.query<{ leases: number }>(LEASES_OF, [accountId])).rows[0]?.leases ?? 0) > 0;

  /** Sends requests one after the other to each gateway, so that it leases tokens. @returns their number */
  async function warmUp(clients: ApiClient[]): Promise<number> {
    await Promise.all(
      clients.map(async (client) => {
        for (let times = 0; times < WARM_UP; times++) expect((await poll(client)).status).toBe(200);
      }),
    );
    return clients.length * WARM_UP;
  }

  /** Sends requests to all gateways in turn, many at once. @returns how many were admitted */
  async function flood(clients: ApiClient[], count: number): Promise<number> {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => poll(clients[index % clients.length] as ApiClient)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    for (const { headers } of refused) expect(headers.get('ratelimit-remaining')).toBe('0');
    const admitted = answers.filter(({ status }) => status === 200);
    expect(admitted.length + refused.length).toBe(count);
    return admitted.length;
  }

  const refilledSince = (startedAtMs: number, rpm = RPM): number => ((performance.now() - startedAtMs) / 60_000) * rpm;

  it('admit in sum exactly what the limit allows where a client sends more', async () => {
    const { client } = await openAccount(stack, { rate_limit_rpm: RPM });
    const clients = await atEachGateway(client);
    expect(clients).toHaveLength(GATEWAYS);
    const startedAtMs = performance.now();
    let admitted = await warmUp(clients);
    for (let wave = 0; wave < 3; wave++) admitted += await flood(clients, RPM / 2);
    expect(admitted).toBeLessThanOrEqual(RPM + refilledSince(startedAtMs) + 1);
    // A lost recall leaves tokens with gateways that do not need them until their leases end.
    if (brokerSettings === '') expect(admitted).toBeGreaterThanOrEqual(RPM);
  });

  it('refuse nothing below the limit, and lose no token', async () => {
    const { client, accountId } = await openAccount(stack, { rate_limit_rpm: RPM });
    const clients = await atEachGateway(client);
    const startedAtMs = performance.now();
    const sent = (await warmUp(clients)) + (await flood(clients, RPM / 4));
    await waitFor(async () => !(await areLeased(accountId)));
    const { headers } = await poll(clients[0] as ApiClient);
    const remaining = Number(headers.get('ratelimit-remaining'));
    expect(sent).toBe(GATEWAYS * WARM_UP + RPM / 4);
    expect(remaining).toBeGreaterThanOrEqual(RPM - sent - 1);
    expect(remaining).toBeLessThanOrEqual(Math.min(RPM - 1, RPM - sent + refilledSince(startedAtMs) + 1));
  });

  it('are exact in the headers of a key that one gateway serves', async () => {
    const { client, accountId } = await openAccount(stack, { rate_limit_rpm: 60 });
    const startedAtMs = performance.now();
    for (let sent = 1; sent <= 30; sent++) {
      const { headers } = await poll(client);
      const remaining = Number(headers.get('ratelimit-remaining'));
      expect(remaining).toBeGreaterThanOrEqual(60 - sent);
      expect(remaining).toBeLessThanOrEqual(Math.min(59, 60 - sent + refilledSince(startedAtMs, 60) + 1));
    }
    await waitFor(async () => !(await areLeased(accountId)));
  });

  it('end at every gateway before a revocation, a pause or a new limit is answered', async () => {
    const { client, accountId } = await openAccount(stack, { rate_limit_rpm: RPM });
    const { client: lost, revoke } = await openKey(stack, { account_id: accountId, name: 'lost' });
    const [clients, losers] = await Promise.all([atEachGateway(client), atEachGateway(lost)]);
    await waitFor(async () => {
      await warmUp(losers);
      return await areLeased(accountId);
    });
    await revoke();
    const revoked = await Promise.all(losers.map(poll));
    expect(revoked.map(({ status }) => status)).toEqual(losers.map(() => 401));

    await warmUp(clients);
    await setStatus(stack, { account_id: accountId, status: 'paused' });
    const paused = await Promise.all(
      clients.map((each) => each.post<ErrorBody>('/images/generations', { prompt: 'a lake' })),
    );
    expect(paused.map(({ body }) => body.error.code)).toEqual(clients.map(() => 'account_paused'));

    await warmUp(clients);
    await setLimits(stack, { account_id: accountId, rate_limit_rpm: 2 * RPM });
    const limited = await Promise.all(clients.map(poll));
    expect(limited.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(clients.map(() => String(2 * RPM)));
  });

  it('are lost with a gateway that is killed, and no others', async () => {
    const { client, accountId } = await openAccount(stack, { rate_limit_rpm: RPM });
    const clients = await atEachGateway(client);
    const startedAtMs = performance.now();
    const sent = await warmUp(clients);
    const { processes } = await stack.describe();
    const [name, { pid }] = Object.entries(processes)
      .filter(([key]) => key.startsWith('gateway'))
      .at(-1) as [string, { pid: number }];
    process.kill(pid, 'SIGKILL');
    const admitted = sent + (await flood(clients.slice(0, -1), RPM));
    expect(admitted).toBeLessThanOrEqual(RPM + refilledSince(startedAtMs) + 1);
    // A lease is at most an eighth of the bucket. Without signals the leases of the other gateways may be missing too.
    expect(admitted).toBeGreaterThanOrEqual(RPM - (RPM / 8) * (brokerSettings === '' ? 1 : GATEWAYS));
    await waitFor(async () => !(await areLeased(accountId)));
    await waitFor(async () => (await stack.describe()).processes[name]?.pid !== pid, { timeoutMs: 30_000 });
  }, 60_000);
});
