import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { ADMISSION, UNKNOWN_KEY } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { expectError, SERVED_APIS, type TestResponse } from '../../test/http-client.fixtures';

const { client, contexts } = useGateway();

const create = (body: string | object, { path } = { path: '/v1' }): Promise<TestResponse> => {
  const headers = { 'Content-Type': 'application/json' };
  return client.send('POST', `${path}/images/generations`, {
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
};

describe('an error message', () => {
  it('shows the form of the header where the key is missing or not valid', async () => {
    for (const headers of [{}, { Authorization: `Bearer ${UNKNOWN_KEY.slice(0, -1)}~` }]) {
      const { error } = await client.sendBare('GET', '/v1/models', headers);
      expect(error.message).toContain('Authorization: Bearer knr_live_…');
    }
  });

  it('names the exceeded limit, and when to retry', async () => {
    const rate = { allowed: false, limit: 60, remaining: 0, retry_after_seconds: 9 };
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate }));
    const { status, error } = await client.send('GET', '/v1/models');
    expect({ status, message: error.message }).toEqual({
      status: 429,
      message: 'Too many requests: this API key may make 60 a minute (RateLimit-Limit), polls included. Retry in 9 s.',
    });
  });

  it.each([
    ['GET', '/v1/images/generations', 'this path takes POST only'],
    ['DELETE', '/v1/jobs/0198c6f0-0000-7000-8000-000000000000?x=1', 'this path takes GET only'],
    ['PUT', '/v1/jobs/0198c6f0-0000-7000-8000-000000000000', 'this path takes GET only'],
    ['PATCH', '/v1/account/keys', 'this path takes GET and POST only'],
    ['OPTIONS', '/v1/models', 'this path takes GET only'],
    ['PROPFIND', '/v1/models', 'this path takes GET only'],
    ['QUERY', '/v1/quotes', 'this path takes POST only'],
    ['PUT', '/openai/v1/images/edits', 'this path takes POST only'],
    ['PUT', '/files/outputs/a.png', 'this path takes GET only'],
    ['GET', '/v1/jobs/', 'the path must not end in a slash'],
    ['POST', '/v1/images/generations/', 'the path must not end in a slash'],
    ['GET', '/docs/', 'the path must not end in a slash'],
    ['GET', '/openapi.json/?x=1', 'the path must not end in a slash'],
    ['POST', '/docs', 'this path takes GET only'],
    ['POST', '/images/generations', 'the path must begin with /v1'],
    ['GET', '/v1/jobs/1/2/3', 'There is no such endpoint. All'],
    ['GET', '/', 'There is no such endpoint. All'],
  ])('says of %s %s that %s', async (method, path, hint) => {
    const { status, error } = await client.send(method, path);
    expect([status, error.type, error.code]).toEqual([404, 'not_found', 'not_found']);
    expect(error.message).toContain(hint);
    expect(error.message).toMatch(/All endpoints are at \/docs\.$/);
  });

  it.each<[string, string]>([
    ['{"prompt": "a lake",\n "n": }', 'The body is not valid JSON: unexpected character at line 2, column 7.'],
    ['{"prompt": "a secret lake"', 'The body is not valid JSON: it ends too early, at line 1, column 27.'],
    ["{'prompt': 'a lake'}", 'The body is not valid JSON: unexpected character at line 1, column 2.'],
  ])('names the position of the error in %j', async (body, message) => {
    for (const api of SERVED_APIS) {
      const refused = await create(body, api);
      expectError(api, refused, { status: 400, code: 'invalid_json' });
      expect(refused.error.message).toBe(message);
    }
  });

  it('explains why a suspended account is refused, and what to do', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, account_status: 'suspended' as const }));
    for (const api of SERVED_APIS) {
      const refused = await create({ prompt: 'a lake' }, api);
      expectError(api, refused, { status: 403, code: 'account_suspended' });
      expect(refused.error.message).toMatch(/content moderation has blocked too many of its outputs.*Ask the operator/);
    }
  });
});
