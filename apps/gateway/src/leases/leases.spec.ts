import { type AdmitRequest, type TokenLease, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { billingSignals } from '@kinora/contracts/billing/billing.events';
import { waitFor } from '@kinora/testing';
import { ADMISSION, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

/** So slow that no token refills during a test. */
const TOKEN_MICROS = 1_000_000_000;
const LEASE: TokenLease = {
  tokens: 20,
  token_micros: TOKEN_MICROS,
  missing_micros: 22 * TOKEN_MICROS,
  duration_ms: 60_000,
};

describe('admission by lease', () => {
  const testBed = useGateway();
  const { contexts } = testBed;

  beforeEach(async () => {
    await recall();
    leaseFor(LEASE.duration_ms);
    await waitFor(async () => {
      await request();
      return contexts.of(billingRpc.admit).some(({ lease_tokens }) => lease_tokens !== undefined);
    });
    contexts.requests = [];
  });

  const request = () => testBed.client.send('GET', '/v1/models');
  /** Resolves when the gateway has handled the signal: it answers a request that was sent after it. */
  const recall = async (account_id = ADMISSION.account_id) => {
    testBed.bus.signal(billingSignals.leasesRecalled, { account_id });
    // The first request takes longer than the turn of the event loop at whose end the signal is sent.
    await testBed.client.sendBare('GET', '/v1/ping');
    await testBed.bus.pingBroker();
    await testBed.client.sendBare('GET', '/v1/ping');
  };
  const leaseFor = (duration_ms: number) =>
    contexts.on(billingRpc.admit, ({ lease_tokens }: AdmitRequest) => ({
      ...ADMISSION,
      ...(lease_tokens !== undefined && { lease: { ...LEASE, duration_ms } }),
    }));
  const returned = () => contexts.of(billingRpc.returnLease);
  const isRequested = async () => {
    await request();
    return contexts.of(billingRpc.admit).length > 0;
  };

  it('needs no request to billing, and describes the bucket', async () => {
    const remaining = [];
    for (let times = 0; times < 3; times++) remaining.push((await request()).headers['ratelimit-remaining']);
    expect(remaining).toEqual(['57', '56', '55']);
    const bare = await testBed.client.send('GET', '/v1/ping');
    expect(bare.headers['ratelimit-remaining']).toBe('55');
    expect(contexts.of(billingRpc.admit)).toEqual([]);
  });

  it('asks for more when the lease is used up, after it was returned', async () => {
    const answers = await Promise.all(Array.from({ length: LEASE.tokens + 1 }, request));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const subjects = contexts.requests.map(({ subject }) => subject).filter((subject) => subject.startsWith('billing'));
    expect(subjects).toEqual([billingRpc.returnLease.subject, billingRpc.admit.subject]);
    expect(returned()).toEqual([{ api_key_id: 'key_1', leased_micros: 20 * TOKEN_MICROS, unused_micros: 0 }]);
  });

  it('ends when the account is recalled, and returns what is unused', async () => {
    await request();
    await recall();
    await waitFor(() => returned().length === 1);
    expect(returned()).toEqual([
      { api_key_id: 'key_1', leased_micros: 20 * TOKEN_MICROS, unused_micros: 19 * TOKEN_MICROS },
    ]);
    contexts.on(billingRpc.admit, fail('invalid_api_key', 'Revoked.'));
    expect((await request()).status).toBe(401);
  });

  it('goes on when another account is recalled', async () => {
    await recall('0192f3a0-0000-7000-8000-000000000002');
    await request();
    expect(contexts.requests.filter(({ subject }) => subject.startsWith('billing'))).toEqual([]);
  });

  it('does not begin with a lease that was requested before a recall', async () => {
    await recall();
    await waitFor(() => returned().length === 1);
    let answer: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    contexts.on(billingRpc.admit, async () => {
      await gate;
      return { ...ADMISSION, lease: LEASE };
    });
    const pending = request();
    await waitFor(() => contexts.of(billingRpc.admit).length === 1);
    await recall();
    answer();
    await pending;
    await waitFor(() => returned().length === 2);
    await waitFor(isRequested);
  });

  it('ends with its duration, and returns what is unused without another request', async () => {
    await recall();
    await waitFor(() => returned().length === 1);
    leaseFor(50);
    // Where the requests of a slow machine are far apart, the first one gets no lease.
    await waitFor(async () => {
      await request();
      return returned().length >= 2;
    });
    expect(returned()[1]?.unused_micros).toBeGreaterThan(0);
  });

  it('survives that nothing can be returned: the tokens refill', async () => {
    contexts.on(billingRpc.returnLease, fail('capacity', 'Away.'));
    await recall();
    await waitFor(() => returned().length === 1);
    expect((await request()).status).toBe(200);
    expect(contexts.of(billingRpc.admit)).toHaveLength(1);
  });

  it('is returned when the gateway stops', async () => {
    const gateway = await testBed.startGateway({});
    await waitFor(async () => {
      await gateway.client.send('GET', '/v1/models');
      return contexts.of(billingRpc.admit).some(({ lease_tokens }) => lease_tokens !== undefined);
    });
    expect(returned()).toEqual([]);
    await gateway.close();
    expect(returned()).toHaveLength(1);
  });
});
