import { createHash } from 'node:crypto';
import type { ImageRef, Job } from '@kinora/contracts/jobs/job';
import type { Answer } from '../../support/api-client';
import { ANIMATED_PNG, animatedGif, animatedWebp, dataUri, heavyPng, image, textBombPng, whitePng } from './images';
import { expectEnvelope, expectJob } from './resources';
import { DELAY, type TestBed } from './test-bed';

type Bytes = Uint8Array | Promise<Uint8Array>;

const MIB = 1024 * 1024;
/** Processor time of the gateway for an image of a few bytes, whatever size it claims. */
const CPU_MAX_SECONDS = 1;
const PNG = whitePng(64, 64);
/** Base64 that ends in padding. */
const BASE64 = Buffer.concat([PNG, Buffer.alloc(3 - (PNG.length % 3) + 1)]).toString('base64');

const ACCEPTED: { what: string; bytes: () => Bytes; sides: [number, number]; mime: string }[] = [
  { what: 'a PNG', bytes: () => image(64, 100).png().toBuffer(), sides: [64, 100], mime: 'png' },
  { what: 'a JPEG', bytes: () => image(64, 100).jpeg().toBuffer(), sides: [64, 100], mime: 'jpeg' },
  { what: 'a WebP', bytes: () => image(64, 100).webp().toBuffer(), sides: [64, 100], mime: 'webp' },
  { what: 'a lossless WebP', bytes: () => lossless(), sides: [70, 70], mime: 'webp' },
  { what: 'a PNG of one bit', bytes: () => PNG, sides: [64, 64], mime: 'png' },
  { what: 'a PNG of 16 bits', bytes: () => deep(), sides: [80, 64], mime: 'png' },
  {
    what: 'a PNG with a palette',
    bytes: () => image(64, 64).png({ palette: true }).toBuffer(),
    sides: [64, 64],
    mime: 'png',
  },
  {
    what: 'an interlaced PNG',
    bytes: () => image(65, 67).png({ progressive: true }).toBuffer(),
    sides: [65, 67],
    mime: 'png',
  },
  {
    what: 'a PNG with transparency',
    bytes: () => image(64, 64).ensureAlpha(0.5).png().toBuffer(),
    sides: [64, 64],
    mime: 'png',
  },
  {
    what: 'a progressive JPEG',
    bytes: () => image(64, 64).jpeg({ progressive: true }).toBuffer(),
    sides: [64, 64],
    mime: 'jpeg',
  },
  { what: 'a grey JPEG', bytes: () => image(64, 64).grayscale().jpeg().toBuffer(), sides: [64, 64], mime: 'jpeg' },
  {
    what: 'a CMYK JPEG',
    bytes: () => image(64, 96).toColourspace('cmyk').jpeg().toBuffer(),
    sides: [64, 96],
    mime: 'jpeg',
  },
  { what: 'sides of 4096 px', bytes: () => whitePng(4096, 4096), sides: [4096, 4096], mime: 'png' },
  { what: 'the longest strip', bytes: () => whitePng(4096, 64), sides: [4096, 64], mime: 'png' },
  { what: 'exactly 10 MiB', bytes: () => heavyPng(10 * MIB), sides: [64, 64], mime: 'png' },
  {
    what: 'a PNG with an HTML page after it',
    bytes: () => withTail('<script>alert(1)</script>'),
    sides: [64, 64],
    mime: 'png',
  },
  ...[1, 2, 3, 4].map((orientation) => turned(orientation, [64, 128])),
  ...[5, 6, 7, 8].map((orientation) => turned(orientation, [128, 64])),
];

const REFUSED: { what: string; bytes: () => Bytes }[] = [
  { what: 'a JPEG whose short side is 63 px', bytes: () => image(63, 64).jpeg().toBuffer() },
  { what: 'a WebP of 4097 px', bytes: () => image(4097, 64).webp().toBuffer() },
  { what: 'a byte more than 10 MiB', bytes: () => heavyPng(10 * MIB + 1) },
  { what: 'an animated PNG', bytes: () => ANIMATED_PNG },
  { what: 'an animated WebP', bytes: animatedWebp },
  { what: 'an animated GIF', bytes: animatedGif },
  { what: 'a GIF', bytes: () => image(64, 64).gif().toBuffer() },
  { what: 'an AVIF', bytes: () => image(64, 64).avif().toBuffer() },
  { what: 'a TIFF', bytes: () => image(64, 64).tiff().toBuffer() },
  { what: 'an SVG', bytes: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>') },
  { what: 'an SVG that includes a file', bytes: () => Buffer.from('<svg><image href="file:///etc/passwd"/></svg>') },
  { what: 'a PDF', bytes: () => Buffer.from('%PDF-1.7\n') },
  { what: 'a BMP', bytes: () => Buffer.from('BM'.padEnd(100, '\0')) },
  { what: 'a page', bytes: () => Buffer.from('<!doctype html>') },
  { what: 'an image after an HTML page', bytes: () => Buffer.concat([Buffer.from('<p>'), PNG]) },
  { what: 'a GIF that is a script', bytes: () => Buffer.from('GIF89a/*'.padEnd(64) + '*/=1') },
  { what: 'a PNG that is only its signature', bytes: () => PNG.subarray(0, 8) },
  { what: 'a PNG without its end', bytes: () => PNG.subarray(0, -12) },
  { what: 'a PNG that is cut in its data', bytes: () => PNG.subarray(0, -16) },
  { what: 'a JPEG that is cut in half', bytes: async () => half(await image(256, 256).jpeg().toBuffer()) },
  { what: 'a WebP that is cut in half', bytes: async () => half(await image(256, 256).webp().toBuffer()) },
  { what: 'a PNG with less data than it claims', bytes: () => whitePng(64, 64, { claimed: [64, 128] }) },
  { what: 'a PNG that claims 65535 px', bytes: () => whitePng(64, 64, { claimed: [65_535, 65_535] }) },
  { what: 'a PNG that claims 2147483647 px', bytes: () => whitePng(64, 64, { claimed: [0x7fffffff, 0x7fffffff] }) },
  { what: 'a PNG that claims no px', bytes: () => whitePng(64, 64, { claimed: [0, 0] }) },
  { what: 'a PNG with a wrong checksum', bytes: () => flipped(PNG, 20) },
];

const MALFORMED: { what: string; text: string }[] = [
  { what: 'bare base64', text: BASE64 },
  { what: 'a data URI without base64', text: `data:image/png,${BASE64}` },
  { what: 'a percent-encoded data URI', text: `data:image/png,${encodeURIComponent(PNG.toString('latin1'))}` },
  { what: 'percent-encoded base64', text: `data:image/png;base64,${encodeURIComponent(BASE64)}` },
  { what: 'the URL alphabet', text: `data:image/png;base64,${PNG.toString('base64url')}` },
  { what: 'missing padding', text: `data:image/png;base64,${BASE64.replace(/=+$/, '')}` },
  { what: 'a space before the scheme', text: ` data:image/png;base64,${BASE64}` },
  { what: 'an empty data URI', text: 'data:image/png;base64,' },
  { what: 'only a scheme', text: 'data:' },
  { what: 'an http URL', text: 'http://example.com/a.png' },
  { what: 'a file', text: 'file:///etc/passwd' },
  { what: 'a path', text: '/etc/passwd' },
  { what: 'a blob', text: 'blob:https://example.com/1' },
];

const DECLARED = ['image/jpeg', 'image/svg+xml', 'text/html', 'application/octet-stream', 'IMAGE/PNG;charset=x', ''];

export function describeImageSources(testBed: TestBed): void {
  const edit = (image: string): Promise<Answer<unknown>> =>
    testBed.client.post('/images/edits', { prompt: `${DELAY} brighter`, image });
  const acceptedEcho = async (image: string): Promise<ImageRef> => {
    const { status, body } = (await edit(image)) as Answer<Job>;
    expect([status, body]).toEqual([202, expect.anything()]);
    expectJob(body);
    await testBed.client.post(`/jobs/${body.id}/cancel`);
    return (body.input as { image: ImageRef }).image;
  };

  describe('POST /images/edits: an image in the body', () => {
    it.each(ACCEPTED)('$what is accepted', async ({ bytes, sides: [width, height], mime }) => {
      const sent = await bytes();
      expect(await acceptedEcho(dataUri(sent))).toEqual({
        ...{ sha256: sha256(sent), width, height, mime: `image/${mime}` },
      });
    });

    it.each([
      ['line breaks', BASE64.replaceAll(/.{76}/g, '$&\n')],
      ['a space before it', ` ${BASE64}`],
    ])('base64 with %s is accepted', async (_, base64) => {
      expect(await acceptedEcho(`data:image/png;base64,${base64}`)).toMatchObject({
        sha256: sha256(Buffer.from(BASE64, 'base64')),
      });
    });

    it.each(REFUSED)('$what is refused', async ({ bytes }) => {
      const image = dataUri(await bytes());
      const usedSeconds = await testBed.gatewayCpuSeconds();
      expectEnvelope(await edit(image), { status: 400, code: 'invalid_body', param: 'image' });
      expect((await testBed.gatewayCpuSeconds()) - usedSeconds).toBeLessThan(CPU_MAX_SECONDS);
    });

    it.each(MALFORMED)('$what is refused', async ({ text }) => {
      expectEnvelope(await edit(text), { status: 400, code: 'invalid_body', param: 'image' });
    });

    it.each(DECLARED)('the declared type of a data URI is ignored: %j', async (declared) => {
      expect(await acceptedEcho(dataUri(PNG, declared))).toMatchObject({ mime: 'image/png' });
    });

    it('a data URI may have 13981078 characters, and no more', async () => {
      const data = heavyPng(10 * MIB).toString('base64');
      const ofChars = (chars: number): string => {
        const type = 'image/png;x='.padEnd(chars - 'data:;base64,'.length - data.length, 'x');
        return `data:${type};base64,${data}`;
      };
      expect(await acceptedEcho(ofChars(13_981_078))).toMatchObject({ mime: 'image/png' });
      expectEnvelope(await edit(ofChars(13_981_079)), { status: 400, code: 'invalid_body', param: 'image' });
    });

    it('the scheme may be in capitals', async () => {
      expect(await acceptedEcho(`DATA:image/png;BASE64,${BASE64}`)).toMatchObject({ mime: 'image/png' });
    });

    it('a hundred megabytes of text in a small image are not unpacked', async () => {
      const image = dataUri(textBombPng());
      const usedSeconds = await testBed.gatewayCpuSeconds();
      const { status } = await edit(image);
      expect([202, 400]).toContain(status);
      expect((await testBed.gatewayCpuSeconds()) - usedSeconds).toBeLessThan(CPU_MAX_SECONDS);
    });
  });
}

export function describeSeveralImages(testBed: TestBed): void {
  describe('POST /images/edits: several images', () => {
    it('each side has 64 to 4096 px', async () => {
      const edit = (width: number, height: number): Promise<Answer<Job>> =>
        testBed.client.post('/images/edits', {
          prompt: DELAY,
          images: [dataUri(PNG), dataUri(whitePng(width, height))],
        });
      const { status, body } = await edit(64, 64);
      expect(status).toBe(202);
      await testBed.client.post(`/jobs/${body.id}/cancel`);
      const wrong: [number, number][] = [
        [63, 64],
        [64, 63],
        [4097, 64],
        [64, 4097],
      ];
      for (const [width, height] of wrong)
        expectEnvelope(await edit(width, height), { status: 400, code: 'invalid_body', param: 'images[1]' });
    });

    it('image and images are echoed under their names', async () => {
      const [one, two] = [whitePng(64, 64), whitePng(65, 64)].map((bytes) => dataUri(bytes));
      const body = { prompt: DELAY, image: two, images: [one, one] };
      const { body: job } = await testBed.client.post<Job>('/images/edits', body);
      expect(job.input).toMatchObject({ image: { width: 65 }, images: [{ width: 64 }, { width: 64 }] });
      await testBed.client.post(`/jobs/${job.id}/cancel`);
    });

    it('the first invalid one of several is named', async () => {
      const body = { prompt: 'a', images: [dataUri(PNG), dataUri(PNG.subarray(0, 40)), 'nonsense'] };
      const answer = await testBed.client.post('/images/edits', body);
      expectEnvelope(answer, { status: 400, code: 'invalid_body', param: 'images[1]' });
    });

    it('three of 10 MiB are accepted together', async () => {
      const image = dataUri(heavyPng(10 * MIB));
      const { status, body } = await testBed.client.post<Job>('/images/edits', {
        prompt: DELAY,
        images: [image, image, image],
      });
      expect([status, body.input]).toMatchObject([202, { images: [{}, {}, {}] }]);
      await testBed.client.post(`/jobs/${body.id}/cancel`);
    });
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function lossless(): Bytes {
  return image(70, 70).ensureAlpha(0.3).webp({ lossless: true }).toBuffer();
}

function deep(): Bytes {
  return image(80, 64).toColourspace('rgb16').png().toBuffer();
}

function withTail(tail: string): Bytes {
  return Buffer.concat([PNG, Buffer.from(tail)]);
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** A JPEG that lies on its side for a reader that ignores its EXIF orientation. */
function turned(orientation: number, sides: [number, number]): (typeof ACCEPTED)[number] {
  const bytes = (): Bytes => image(64, 128).withMetadata({ orientation }).jpeg().toBuffer();
  return { what: `EXIF orientation ${orientation}`, bytes, sides, mime: 'jpeg' };
}
