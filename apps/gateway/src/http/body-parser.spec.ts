import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { API_KEY, JOB } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { errorIn, expectError, SERVED_APIS, type TestResponse } from '../../test/http-client.fixtures';

const testBed = useGateway();
const { client, contexts } = testBed;

describe.each(SERVED_APIS)('a body, at $path', (api) => {
  const path = `${api.path}/images/generations`;
  const post = (headers: Record<string, string | number>, body = '{}'): Promise<TestResponse> =>
    client.send('POST', path, { headers, body });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; profile="https://x.example/a"',
  ])('may be of type %s', async (type) => {
    expectError(api, await post({ 'Content-Type': type }), { status: 400, code: 'invalid_body', param: 'prompt' });
  });

  it.each(['text/plain', 'application/json-patch+json', 'text/json', 'application/x-www-form-urlencoded', 'nonsense'])(
    'may not be of type %s',
    async (type) => {
      expectError(api, await post({ 'Content-Type': type }), { status: 400, code: 'invalid_content_type' });
    },
  );

  it.each(['gzip', 'br', 'GZIP, identity'])('may not be compressed: %s', async (encoding) => {
    const refused = await post({ 'Content-Type': 'application/json', 'Content-Encoding': encoding });
    expectError(api, refused, { status: 400, code: 'invalid_content_type', param: 'Content-Encoding' });
    expect(refused.error.message).toContain('Content-Encoding');
  });

  it('may say that it is not compressed', async () => {
    const refused = await post({ 'Content-Type': 'application/json', 'Content-Encoding': 'identity' });
    expectError(api, refused, { status: 400, code: 'invalid_body', param: 'prompt' });
  });

  it('may not be without a type', async () => {
    expect((await post({})).error.code).toBe('invalid_content_type');
  });

  it('that arrives too slowly is refused with the reason, and its connection closed', async () => {
    const hasty = await testBed.startGateway({ KINORA_BODY_GRACE_SECONDS: '0' });
    const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${API_KEY}`];
    const body = ['Content-Type: application/json', 'Content-Length: 500', '', '{"prompt":'];
    const answer = await hasty.client.sendRaw([...head, ...body].join('\r\n'));
    expect(answer).toMatch(
      /^HTTP\/1.1 400 [^]*"message":"The body arrives too slowly: after 0 s it must average 16384 /,
    );
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: errorIn(api, 'invalid_body') });
  });

  it('without a declared length is counted as it arrives', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const chunked = (body: string): Promise<TestResponse> =>
      client.sendBare('POST', path, { ...headers, Authorization: `Bearer ${API_KEY}`, 'Content-Length': [] }, body);
    expect((await chunked('{}')).error.param).toBe('prompt');
    expect((await chunked(`{"promt":"${'x'.repeat(100_000)}"}`)).error.param).toBe('promt');
    expect((await chunked(`{}${' '.repeat(300_000)}`)).error.message).toContain('202752');
  });
});

describe('a body of a route without one', () => {
  it.each([
    ['POST', 'cancel'],
    ['DELETE', 'outputs'],
  ] as const)('is ignored, whatever it holds, and refused by its length: %s %s', async (method, name) => {
    contexts.on(jobsRpc.cancel, () => JOB);
    contexts.on(jobsRpc.deleteOutputs, () => JOB);
    const send = (body: string, headers = {}) => client.send(method, `/v1/jobs/${JOB.id}/${name}`, { body, headers });
    for (const headers of [{}, { 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }])
      expect((await send('{"x":'.padEnd(1024), headers)).status).toBe(200);
    const refused = await send('x'.repeat(1025));
    expect([refused.status, refused.error.code]).toEqual([400, 'invalid_body']);
  });
});

describe('a large body', () => {
  const padding = ' '.repeat(300_000);
  const edit = (body: string, headers = {}): Promise<TestResponse> =>
    client.send('POST', '/v1/images/edits', { headers: { 'Content-Type': 'application/json', ...headers }, body });

  it('is validated like a small one', async () => {
    expect((await edit(`{}${padding}`)).error).toMatchObject({ code: 'invalid_body', param: 'prompt' });
    expect((await edit(`{"prompt":"a","__proto__":{}}${padding}`)).error.param).toBe('__proto__');
    expect((await edit(`{"prompt":${padding}`)).error.code).toBe('invalid_json');
    expect((await edit(`[]${padding}`)).error.code).toBe('invalid_body');
    const long = 'x'.repeat(300_000);
    expect((await edit(`{"prompt":"${long}"}`)).error.param).toBe('prompt');
    expect((await edit(`{"prompt":"data:image/png;base64,${'AAAA'.repeat(100_000)}"}`)).error.param).toBe('prompt');
    expect((await edit(`{"prompt":"a","image":"${long}"}`)).error.code).toBe('internal_error');
  });

  it.each([
    ['keys', `{${Array.from({ length: 40_000 }, (_, key) => `"${key}":1`).join(',')}}`],
    ['brackets', '['.repeat(300_000)],
    ['items', `[${'0,'.repeat(150_000)}0]`],
  ])('is not parsed if it has more %s than any legal body', async (_name, body) => {
    expect((await edit(body, { 'Idempotency-Key': 'k' })).error.message).toBe('The body has too many fields.');
  });

  it('may contain any number of brackets and commas in strings', async () => {
    const text = '\\"[{,:\\\\'.repeat(50_000);
    expect((await edit(`{"prompt":"a","image":"${text}","wrong":1}`)).error.param).toBe('wrong');
  });
});
