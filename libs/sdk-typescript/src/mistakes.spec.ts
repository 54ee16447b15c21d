import type { InvalidRequestError } from './errors';
import { Kinora } from './kinora';
import { ScriptedApi, type ScriptedAnswer } from './scripted-api.fixtures';

const HTML = { 'content-type': 'text/html' };
const PAGE = '<html></html>';

describe('what a developer gets wrong', () => {
  let api: ScriptedApi;
  beforeAll(async () => (api = await ScriptedApi.start()));
  afterAll(() => api.close());

  const client = (options = {}) =>
    new Kinora({ apiKey: 'knr_test_x', baseURL: api.baseURL, maxRetries: 0, ...options });
  const failure = (call: Promise<unknown>): Promise<InvalidRequestError> =>
    call.then(
      () => Promise.reject(new Error('The call succeeded.')),
      (error: InvalidRequestError) => error,
    );

  it.each<{ answer: ScriptedAnswer; message: string }>([
    {
      answer: { status: 200, headers: HTML, text: PAGE },
      message: 'the answer is text/html and no JSON. baseURL ends in /v1.',
    },
    { answer: { status: 404, headers: HTML, text: PAGE }, message: 'baseURL ends in /v1.' },
    {
      answer: { status: 308, headers: { location: 'https://b.example/v1?k=s' } },
      message: 'The server redirects to https://b.example, which is not followed',
    },
  ])('another server: $message', async ({ answer, message }) => {
    api.play(answer);
    const error = await failure(client().account.get());
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('k=s');
  });

  it.each([
    { settings: { baseURL: '127.0.0.1/v1' }, says: /begins with http/ },
    { settings: { baseURL: '/v1' }, says: /begins with http/ },
    { settings: { apiKey: 'knr_ü' }, says: /characters that no key has/ },
    { settings: { apiKey: "'knr x'" }, says: /characters that no key has/ },
    { settings: { apiKey: '  ' }, says: /API key is missing/ },
  ])('settings: $settings', ({ settings, says }) => {
    const refused = (): Kinora => client(settings);
    expect(refused).toThrow(says);
    expect(refused).not.toThrow('knr');
  });

  it('a key with a line end, which is that key', async () => {
    api.play({ status: 200, body: {} });
    await client({ apiKey: 'knr_test_x\n' }).account.get();
    expect(api.requests[0]?.headers.authorization).toBe('Bearer knr_test_x');
  });

  it.each<{ param: string; use: (kinora: Kinora) => Promise<unknown> }>([
    { param: 'id', use: (kinora) => kinora.jobs.get('') },
    { param: 'id', use: (kinora) => kinora.jobs.cancel(undefined as unknown as string) },
    { param: 'id', use: (kinora) => kinora.keys.revoke('') },
    { param: 'id', use: (kinora) => kinora.jobs.wait('') },
    { param: 'Idempotency-Key', use: (kinora) => kinora.images.create({ prompt: 'a' }, { idempotencyKey: '' }) },
    { param: 'Idempotency-Key', use: (kinora) => kinora.images.generate({ prompt: 'a' }, { idempotencyKey: 'ü' }) },
    { param: 'output', use: (kinora) => kinora.download(undefined as unknown as string, 'none.png') },
    { param: 'output', use: (kinora) => kinora.download(undefined as unknown as string) },
  ])('a wrong $param, which is refused before a request', async ({ param, use }) => {
    api.play();
    expect(await failure(use(client()))).toMatchObject({ name: 'InvalidRequestError', param });
    expect(api.requests).toEqual([]);
  });
});
