import { request, type ClientRequest } from 'node:http';
import { type ProvenanceCheck, provenanceRpc } from '@kinora/contracts/moderation/provenance.rpc';
import { ManualClock, waitFor } from '@kinora/testing';
import { CHECKED_FILE_MAX_BYTES } from '../body-limits';
import { fail } from '../../test/contexts.fixtures';
import { GatewayTestBed, useGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';
import { greyPng, toDataUri } from '../../test/image.fixtures';

const PATH = '/v1/provenance/check';
const IMAGE = greyPng(80, 64);
const VIDEO = Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from('ftypisom'), Buffer.alloc(64)]);
const UNKNOWN: ProvenanceCheck = { object: 'provenance.check', result: 'unknown', credential: null, match: null };

const WAIT_MS = 2_000;
const clock = new ManualClock();
const testBed = useGateway({}, new GatewayTestBed(clock));
const { contexts } = testBed;

const send = (type: string, body?: Buffer | string): Promise<TestResponse> =>
  testBed.client.sendBare('POST', PATH, { 'Content-Type': type }, body);
const sendJson = (body: unknown): Promise<TestResponse> => send('application/json', JSON.stringify(body));

/** Answers each check with what the store has under the key at that time. */
function keepAsked(): { files: (Buffer | null)[]; keys: string[] } {
  const asked: { files: (Buffer | null)[]; keys: string[] } = { files: [], keys: [] };
  contexts.on(provenanceRpc.check, async ({ object_key }) => {
    asked.keys.push(object_key);
    asked.files.push(await testBed.gateway.objects.get(object_key));
    return UNKNOWN;
  });
  return asked;
}

describe('POST /v1/provenance/check', () => {
  it.each<[string, () => Promise<TestResponse>, Buffer, string]>([
    ['an image', () => send('image/png', IMAGE), IMAGE, 'body'],
    ['an image under another type of images', () => send('image/webp', IMAGE), IMAGE, 'body'],
    ['a video', () => send('video/mp4', VIDEO), VIDEO, 'body'],
    ['a data URI', () => sendJson({ image: toDataUri(IMAGE) }), IMAGE, 'image'],
  ])('takes %s without a key, and keeps no file', async (_what, ask, file, param) => {
    const asked = keepAsked();

    const answer = await ask();

    expect([answer.status, answer.json()]).toEqual([200, UNKNOWN]);
    expect(asked.files).toEqual([file]);
    expect(contexts.of(provenanceRpc.check)).toMatchObject([{ param }]);
    expect(await testBed.gateway.objects.stat(asked.keys[0] ?? '')).toBeNull();
    expect(answer.headers['ratelimit-limit']).toBe('600');
  });

  it.each<[string, () => Promise<TestResponse>, { code: string; param?: string }]>([
    ['a type with parameters', () => send('image/png; q=1', IMAGE), { code: 'invalid_content_type' }],
    ['no image', () => send('image/png', 'GIF89a'), { code: 'invalid_body', param: 'body' }],
    ['an image with too small sides', () => send('image/png', greyPng(8, 8)), { code: 'invalid_body', param: 'body' }],
    ['no field', () => sendJson({}), { code: 'invalid_body', param: 'image' }],
    [
      'an unknown field',
      () => sendJson({ image: toDataUri(IMAGE), video: '' }),
      { code: 'invalid_body', param: 'video' },
    ],
    ['a private address', () => sendJson({ image: 'https://10.0.0.1/' }), { code: 'invalid_body', param: 'image' }],
    [
      'a cut data URI',
      () => sendJson({ image: 'data:image/png;base64,AAA' }),
      { code: 'invalid_body', param: 'image' },
    ],
  ])('refuses %s', async (_what, ask, refusal) => {
    const { status, error } = await ask();

    expect({ status, ...error }).toMatchObject({ status: 400, ...refusal });
    expect(contexts.of(provenanceRpc.check)).toEqual([]);
  });

  it.each<[string, number]>(Object.entries(CHECKED_FILE_MAX_BYTES))(
    'refuses a larger body of the type %s before it arrives',
    async (type, maxBytes) => {
      const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${maxBytes + 1}\r\n\r\n`;
      expect(await testBed.client.sendRaw(head)).toContain(`at most ${maxBytes} bytes`);
    },
  );

  it('passes on what moderation refuses', async () => {
    contexts.on(provenanceRpc.check, fail('invalid_body', 'body: The image data is damaged.', { param: 'body' }));

    expect((await send('image/png', IMAGE)).error).toMatchObject({ code: 'invalid_body', param: 'body' });
  });

  it('answers 503 while others are checked, and takes no more of moderation', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    contexts.on(provenanceRpc.check, async () => {
      await held;
      return UNKNOWN;
    });
    const first = [send('image/png', IMAGE), send('image/png', IMAGE)];
    await waitFor(() => contexts.of(provenanceRpc.check).length === 2);

    const { waiting } = clock;
    const refused = send('image/png', IMAGE);
    await waitFor(() => clock.waiting > waiting);
    clock.advance(WAIT_MS);

    const { status, headers, error } = await refused;
    expect({ status, retryAfter: headers['retry-after'], code: error.code }).toEqual({
      ...{ status: 503, retryAfter: '1', code: 'capacity' },
    });
    release();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('holds one video of strangers at a time, and still takes bodies of accounts', async () => {
    const slow: ClientRequest[] = [];
    const half = CHECKED_FILE_MAX_BYTES['video/mp4'] / 2;
    const sendHalf = (): void => {
      const headers = { 'Content-Type': 'video/mp4', 'Content-Length': 2 * half };
      const outgoing = request({ host: '127.0.0.1', port: testBed.gateway.port, method: 'POST', path: PATH, headers });
      outgoing.on('error', () => undefined).write(Buffer.alloc(half));
      slow.push(outgoing);
    };
    sendHalf();
    await waitFor(async () => (await testBed.gateway.heldBodyBytes()) >= half);
    const second = await testBed.client.sendRaw(
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Type: video/mp4\r\nContent-Length: ${half + 1}\r\n\r\n`,
    );
    const ofAccount = await testBed.client.send('POST', '/v1/images/generations', { json: { prompt: 7 } });

    expect(second).toMatch(/503 [^]*capacity/);
    expect(ofAccount.error).toMatchObject({ code: 'invalid_body', param: 'prompt' });
    for (const outgoing of slow) outgoing.destroy();
    await waitFor(async () => (await testBed.gateway.heldBodyBytes()) === 0);
  });
});
