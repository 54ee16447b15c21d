import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';

const { client, contexts } = useGateway();

beforeEach(() => contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false })));

const GENERATIONS = '/v1/images/generations';
const EDITS = '/v1/images/edits';
const keyed = { 'Idempotency-Key': 'a-key' };

const post = (path: string, json: unknown, headers = {}): Promise<TestResponse> =>
  client.send('POST', path, { json, headers });

async function hashOf(path: string, body: string): Promise<string> {
  contexts.requests = [];
  await client.send('POST', path, { headers: { ...keyed, 'Content-Type': 'application/json' }, body });
  const [edit] = contexts.of(jobsRpc.findReplay);
  const [generation] = contexts.of(jobsRpc.create);
  const { route, body_sha256 } = (edit ?? generation)?.idempotency ?? {};
  return `${route} ${body_sha256}`;
}

describe('an Idempotency-Key', () => {
  it('returns its job, whatever has happened since', async () => {
    contexts.on(jobsRpc.findReplay, () => ({ job: JOB }));
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: 'closed' as const }));
    const { status, headers, json } = await post(
      EDITS,
      { image: 'https://gone.example/image.png', wrong: true },
      keyed,
    );
    expect([status, headers['idempotency-replayed'], json()]).toEqual([200, 'true', JOB]);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('is looked up by the creation itself where the gateway finds nothing to refuse', async () => {
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: true }));
    const { status, headers, json } = await post(GENERATIONS, { prompt: 'a fox' }, keyed);
    expect([status, headers['idempotency-replayed'], json()]).toEqual([200, 'true', JOB]);
    expect([contexts.of(jobsRpc.create).length, contexts.of(jobsRpc.findReplay).length]).toEqual([1, 0]);
  });

  it('returns its job before a refusal of the gateway', async () => {
    contexts.on(jobsRpc.findReplay, () => ({ job: JOB }));
    const { status, headers } = await post(GENERATIONS, { prompt: '' }, keyed);
    expect([status, headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('is refused with another body before that body is validated', async () => {
    contexts.on(jobsRpc.findReplay, fail('idempotency_conflict', 'Another body.'));
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: 'closed' as const }));
    expect((await post(GENERATIONS, { wrong: true }, keyed)).status).toBe(409);
  });

  it.each([
    [{ 'Idempotency-Key': '' }],
    [{ 'Idempotency-Key': 'a b' }],
    [{ 'Idempotency-Key': ' ' }],
    [{ 'Idempotency-Key': 'é' }],
    [{ 'Idempotency-Key': 'k'.repeat(256) }],
    [{ 'Idempotency-Key': ['a', 'a'] }],
  ])('must be one header of 1 to 255 visible ASCII characters, not %j', async (headers) => {
    const { status, error } = await post(GENERATIONS, { wrong: true }, headers);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_idempotency_key', 'Idempotency-Key']);
  });

  it.each(['k', 'k'.repeat(255), '!~"\\'])('may be %s', async (key) => {
    expect((await post(GENERATIONS, { prompt: 'a fox' }, { 'Idempotency-Key': key })).status).toBe(202);
    expect(contexts.of(jobsRpc.create)[0]?.idempotency?.key).toBe(key);
  });

  it('has the same body hash on either thread', async () => {
    const image = `data:image/png;base64,${'AAAA'.repeat(10_000)}`;
    const body = JSON.stringify({ prompt: 'a', image });
    const other = JSON.stringify({ prompt: 'a', image: image.replace('png', 'gif') });
    const padding = ' '.repeat(300_000);
    expect(await hashOf(EDITS, body + padding)).toBe(await hashOf(EDITS, body));
    expect(await hashOf(EDITS, other + padding)).not.toBe(await hashOf(EDITS, body));
  });

  it('is bound to the content of a body, not to its formatting, and to the route', async () => {
    const one = await hashOf(GENERATIONS, '{"prompt":"a","n":1,"metadata":{"a":"1","b":"2"}}');
    const same = await hashOf(GENERATIONS, ' { "metadata": {"b":"2", "a":"\\u0031"}, "n": 1.0, "prompt":"a" } ');
    const withNulls = await hashOf(GENERATIONS, '{"prompt":"a","n":1,"seed":null,"metadata":{"a":"1","b":"2"}}');
    const others = [
      await hashOf(GENERATIONS, '{"prompt":"a","n":2,"metadata":{"a":"1","b":"2"}}'),
      await hashOf(GENERATIONS, '{"prompt":"a","n":1,"metadata":{"a":"2","b":"1"}}'),
      await hashOf(GENERATIONS, '{"prompt":"a","metadata":{"a":"1","b":"2"}}'),
      await hashOf(EDITS, '{"prompt":"a","n":1,"metadata":{"a":"1","b":"2"}}'),
    ];
    expect([same, withNulls]).toEqual([one, one]);
    // SHA-256 of {"metadata":{"a":"1","b":"2"},"n":1,"prompt":"a"}: the hashes of stored keys stay comparable.
    expect(one).toMatch(/ a329a3f373513cf3cbc5689b566fd7f226dc1089b78bb89f0da26788607e9d58$/);
    expect(new Set([one, ...others]).size).toBe(5);
  });
});
