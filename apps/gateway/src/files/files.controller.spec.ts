import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { useGateway } from '../../test/gateway.fixtures';

const KEY = 'outputs/0192f3a0-0000-7000-8000-00000000000a/0.png';
const BYTES = Buffer.from('0123456789');

const testBed = useGateway({ KINORA_ADDRESS_RATE_LIMIT_RPM: '1' });
const { client } = testBed;

beforeAll(async () => {
  await testBed.gateway.objects.put(KEY, BYTES, { mime: 'image/png' });
  await writeFile(join(testBed.folder, 'secret.png'), 'secret');
});

/** The link as a job carries it, without scheme and host. */
function link(key = KEY, lifetimeMs = 60_000): string {
  return testBed.gateway.signer.sign(key, new Date(Date.now() + lifetimeMs)).replace('http://gateway.test', '');
}

describe('a signed link', () => {
  it('returns the file as a download of its stored type', async () => {
    const { status, headers, bytes } = await client.sendBare('GET', link());
    expect([status, bytes.toString()]).toEqual([200, BYTES.toString()]);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'content-disposition': 'attachment; filename="0.png"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private',
      'accept-ranges': 'bytes',
      'x-request-id': expect.stringMatching(/^req_/) as string,
    });
    expect(headers['ratelimit-limit']).toBeUndefined();
  });

  it('is never rate limited', async () => {
    const path = link();
    const statuses = [1, 2, 3].map(async () => (await client.sendBare('GET', path)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
  });

  it('answers HEAD with the headers of the file', async () => {
    const { status, headers, bytes } = await client.sendBare('HEAD', link());
    expect([status, headers['content-length'], headers['content-type'], bytes.length]).toEqual([
      200,
      '10',
      'image/png',
      0,
    ]);
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=9-999', '9', 'bytes 9-9/10'],
  ])('returns a part of the file for %s', async (range, part, contentRange) => {
    const { status, headers, bytes } = await client.sendBare('GET', link(), { Range: range });
    expect([status, bytes.toString(), headers['content-range']]).toEqual([206, part, contentRange]);
    expect(headers['content-length']).toBe(String(part.length));
  });

  it('returns the length of the file when the range lies beyond it', async () => {
    const { status, headers, bytes } = await client.sendBare('GET', link(), { Range: 'bytes=10-' });
    expect([status, headers['content-range'], bytes.length]).toEqual([416, 'bytes */10', 0]);
  });

  it.each([{ Range: 'bytes=0-1,4-5' }, { Range: 'lines=1-2' }, { Range: 'bytes=0-3', 'If-Range': '"made-up"' }])(
    'returns the whole file for %j',
    async (headers) => {
      expect(await client.sendBare('GET', link(), headers)).toMatchObject({ status: 200, bytes: BYTES });
    },
  );

  it('closes the file when its reader disconnects', async () => {
    await testBed.gateway.objects.put('outputs/large.png', Buffer.alloc(8_000_000), { mime: 'image/png' });
    await new Promise<void>((resolve) => {
      const options = { host: '127.0.0.1', port: testBed.gateway.port, path: link('outputs/large.png'), agent: false };
      const outgoing = request(options, (incoming) => {
        incoming.once('data', () => outgoing.destroy());
        incoming.once('error', () => resolve());
      }).end();
    });
    expect((await client.sendBare('GET', link())).status).toBe(200);
  });
});

describe('any other link', () => {
  const signed = (path: string): string => path + link().slice(link().indexOf('?'));

  it.each<[string, () => string]>([
    ['that has expired', () => link(KEY, -1000)],
    ['with another expiry', () => link().replace(/expires=\d+/, 'expires=9999999999')],
    ['with another signature', () => link().replace(/signature=../, 'signature=AA')],
    ['without a signature', () => `/files/${KEY}`],
    ['with two signatures', () => `${link()}&signature=x`],
    ['to another file', () => signed('/files/outputs/1.png')],
    ['to a file that is gone', () => link('outputs/gone.png')],
    ['to a folder', () => link('outputs')],
    ['to no file', () => signed('/files/')],
    ['out of the folder', () => signed('/files/../secret.png')],
    ['out of the folder, encoded', () => signed('/files/%2e%2e/secret.png')],
    ['out of the folder, with an encoded slash', () => signed('/files/..%2fsecret.png')],
    ['out of the folder, with a backslash', () => signed('/files/..%5csecret.png')],
    ['with a NUL', () => signed(`/files/${KEY}%00.png`)],
    ['with an encoded letter', () => link().replace('outputs', '%6futputs')],
    ['to an absolute path', () => signed('/files//etc/passwd')],
  ])('is 404: one %s', async (_name, path) => {
    for (const method of ['GET', 'HEAD']) expect((await client.sendBare(method, path())).status).toBe(404);
    const { error } = await client.sendBare('GET', path());
    expect(error).toMatchObject({
      type: 'not_found',
      code: 'not_found',
      message: 'There is no such file, or the link to it has expired.',
    });
  });

  it('is refused with an unknown query parameter', async () => {
    expect((await client.sendBare('GET', `${link()}&x=1`)).error).toMatchObject({ code: 'invalid_query', param: 'x' });
  });
});
