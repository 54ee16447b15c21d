import type { ApiClient } from '../support/api-client';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const GATEWAYS = 4;
const RPM = 120;
const REQUESTS = 4 * RPM;

describe('the rate limit of a key', () => {
  let stack: LocalStack;

  beforeAll(async () => {
    stack = await LocalStack.start({ env: { KINORA_REPLICAS: `gateway=${GATEWAYS}` } });
  }, 120_000);
  afterAll(() => stack.stop());

  it('is one bucket, however many gateways it is asked at', async () => {
    const { client } = await openAccount(stack, { rate_limit_rpm: RPM });
    const { processes } = await stack.describe();
    const gateways = Object.values(processes).flatMap(({ base_url }) => base_url ?? []);
    expect(gateways).toHaveLength(GATEWAYS);
    const clients = gateways.map((baseUrl) => client.at(baseUrl));
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) => (clients[index % GATEWAYS] as ApiClient).get('/account')),
    );
    const refilled = ((performance.now() - startedAt) / 60_000) * RPM;
    const allowed = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(allowed.length + refused.length).toBe(REQUESTS);
    expect(allowed.length).toBeGreaterThanOrEqual(RPM);
    expect(allowed.length).toBeLessThanOrEqual(RPM + refilled + 1);
    for (const { headers } of answers) expect(headers.get('ratelimit-limit')).toBe(String(RPM));
    for (const { headers } of refused) {
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(headers.get('retry-after')).toBe('1');
    }
  }, 60_000);
});
