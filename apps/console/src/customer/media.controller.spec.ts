import { readImageFacts } from '@kinora/images';
import type { Browser } from '../../test/browser.fixtures';
import { ConsoleTestBed, useConsole } from '../../test/console.fixtures';
import { paintPng } from '../../test/png.fixtures';
import { answerJson } from '../../test/stub-gateway.fixtures';

const JOB_ID = '018f0000-0000-7000-8000-000000000001';
const VIDEO = Buffer.from('0123456789');

const bed = useConsole();
let key: ReturnType<ConsoleTestBed['keys']['create']>;
let browser: Browser;
let png: Buffer;
let isDeleted: boolean;
let filesOrigin: string;

beforeAll(async () => {
  png = paintPng(800, 400);
});
beforeEach(async () => {
  key = bed.keys.create();
  isDeleted = false;
  filesOrigin = bed.gateway.url;
  bed.gateway.answer = (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/v1/account') return answerJson(response, 200, { object: 'account' });
    if (path === '/files/1.png') return void response.writeHead(isDeleted ? 404 : 200).end(isDeleted ? '' : png);
    if (path === '/files/1.mp4') {
      const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
      if (!range) return void response.writeHead(200, { 'Content-Length': VIDEO.length }).end(VIDEO);
      const [start, end] = [Number(range[1]), Number(range[2])];
      return void response
        .writeHead(206, { 'Content-Range': `bytes ${start}-${end}/10` })
        .end(VIDEO.subarray(start, end + 1));
    }
    const isOwn = request.headers.authorization === `Bearer ${key.api_key}`;
    if (!isOwn || path !== `/v1/jobs/${JOB_ID}`) return answerJson(response, 404, { error: { code: 'not_found' } });
    const link = (file: string) => (isDeleted ? null : `${filesOrigin}/files/${file}?expires=9&signature=s`);
    const images = [
      { url: link('1.png'), mime: 'image/png' },
      { url: link('1.mp4'), mime: 'video/mp4' },
      { url: link('1.png'), mime: 'text/html' },
    ];
    answerJson(response, 200, { id: JOB_ID, object: 'job', output: { images } });
  };
  browser = await bed.signedIn(key);
  bed.gateway.seen.length = 0;
});

describe('an output of a job', () => {
  it('is shown to its account, under a type that a page can show and no other', async () => {
    const answer = await browser.get(`/media/${JOB_ID}/0`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
    expect((await browser.get(`/media/${JOB_ID}/2`)).status).toBe(404);
  });

  it('is read inside where the links name a bucket in their host, under that host, for which they are signed', async () => {
    filesOrigin = 'https://pictures.files.example.com';
    const origins = `https://files.example.com=http://127.0.0.1:1,${filesOrigin}=${bed.gateway.url}`;
    const { url } = await bed.startConsole({ KINORA_CONSOLE_FILE_ORIGINS: origins });
    const inside = bed.browser(url);
    await inside.signIn(key.api_key);
    expect((await inside.get(`/media/${JOB_ID}/0`)).status).toBe(200);
    const file = bed.gateway.seen.find((seen) => seen.url.startsWith('/files/'));
    expect(file).toMatchObject({ url: '/files/1.png?expires=9&signature=s' });
    expect(file?.headers.host).toBe('pictures.files.example.com');
  });

  it('does not exist for another account', async () => {
    const other = await bed.signedIn();
    expect((await browser.get(`/media/${JOB_ID}/0`)).status).toBe(200);
    expect((await other.get(`/media/${JOB_ID}/0`)).status).toBe(404);
    expect((await bed.browser().get(`/media/${JOB_ID}/0`)).status).toBe(401);
  });

  it.each([
    '/media/x/0',
    `/media/${JOB_ID}/9`,
    `/media/${JOB_ID}/-1`,
    `/media/${JOB_ID}/0x1`,
    `/media/${JOB_ID}`,
    '/media/',
  ])('does not exist at %s', async (path) => {
    expect((await browser.get(path)).status).toBe(404);
  });

  it('is read without another request to the gateway once a page has shown its job', async () => {
    await browser.get(`/admin/v1/customer/jobs/${JOB_ID}`);
    await browser.get(`/media/${JOB_ID}/0`);
    await browser.get(`/media/${JOB_ID}/0?w=64`);
    expect(bed.gateway.seen.filter(({ url }) => url.startsWith('/v1/jobs'))).toHaveLength(1);
    // The key of the session belongs to the gateway, and not to the store of files.
    const files = bed.gateway.seen.filter(({ url }) => url.startsWith('/files/'));
    expect(files.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it('is gone after its deletion, also where a link to it was remembered', async () => {
    await browser.get(`/media/${JOB_ID}/0`);
    isDeleted = true;
    expect((await browser.get(`/media/${JOB_ID}/0`)).status).toBe(404);
    expect((await browser.get(`/media/${JOB_ID}/0?w=64`)).status).toBe(404);
  });

  it('is not sent again to a browser that has it', async () => {
    const { etag = '' } = (await browser.get(`/media/${JOB_ID}/0?w=256`)).headers;
    const again = await browser.get(`/media/${JOB_ID}/0?w=256`, { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await browser.get(`/media/${JOB_ID}/0`, { 'if-none-match': etag })).status).toBe(200);
    expect((await bed.browser().get(`/media/${JOB_ID}/0?w=256`, { 'if-none-match': etag })).status).toBe(401);
  });

  it('is a video of which a player reads a part', async () => {
    const answer = await browser.get(`/media/${JOB_ID}/1`, { range: 'bytes=2-5' });
    expect(answer).toMatchObject({ status: 206, text: '2345' });
    expect(answer.headers).toMatchObject({ 'content-type': 'video/mp4', 'content-range': 'bytes 2-5/10' });
    expect((await browser.get(`/media/${JOB_ID}/1`)).headers).toMatchObject({ 'accept-ranges': 'bytes' });
  });
});

describe('a thumbnail', () => {
  it('has the width that was asked for, in the ratio of the image', async () => {
    const { response } = await browser.open(`/media/${JOB_ID}/0?w=256`);
    const pieces: Buffer[] = [];
    for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
    const facts = await readImageFacts(Buffer.concat(pieces));
    expect(facts).toMatchObject({ mime: 'image/webp', width: 256, height: 128 });
  });

  it.each(['0', '255', '4096', 'x', ''])('has no width of %j', async (w) => {
    const answer = await browser.get(`/media/${JOB_ID}/0?w=${w}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: 'invalid_query', param: 'w' } });
  });

  it('is for images only', async () => {
    expect((await browser.get(`/media/${JOB_ID}/1?w=64`)).json()).toMatchObject({ error: { param: 'w' } });
  });
});
