import sharp from 'sharp';
import type { ImageOutput, Job } from '@kinora/contracts/jobs/job';
import type { ProvenanceCheck } from '@kinora/contracts/moderation/provenance.rpc';
import { imagesOf } from '@kinora/testing';
import { RawConnection } from '../../support/raw-http';
import { ANIMATED_PNG, heavyPng, image, textBombPng, whitePng } from './images';
import type { TestBed } from './test-bed';

const MIB = 1024 * 1024;
const VIDEO_HEAD = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41', 'latin1');
/** More than a gateway and moderation check at once. */
const PARALLEL = 24;

/** What a stranger may send instead of a file, and how it is refused. */
const HOSTILE: { what: string; type: string; bytes: () => Buffer | Promise<Buffer>; code: string }[] = [
  { what: 'a page', type: 'text/html', bytes: () => Buffer.from('<script>'), code: 'invalid_content_type' },
  {
    what: 'a form',
    type: 'multipart/form-data; boundary=b',
    bytes: () => Buffer.from('--b--'),
    code: 'invalid_content_type',
  },
  { what: 'nothing', type: 'image/png', bytes: () => Buffer.alloc(0), code: 'invalid_body' },
  { what: 'an image as a video', type: 'video/mp4', bytes: () => whitePng(64, 64), code: 'invalid_body' },
  { what: 'a video as an image', type: 'image/png', bytes: () => VIDEO_HEAD, code: 'invalid_body' },
  { what: 'the head of a video', type: 'video/mp4', bytes: () => VIDEO_HEAD, code: 'invalid_body' },
  {
    what: 'a claim of 60,000 px a side',
    type: 'image/png',
    bytes: () => whitePng(64, 64, { claimed: [60_000, 60_000] }),
    code: 'invalid_body',
  },
  { what: 'an animation', type: 'image/png', bytes: () => ANIMATED_PNG, code: 'invalid_body' },
  {
    what: 'half of an image',
    type: 'image/jpeg',
    bytes: async () => (await image(512, 512).jpeg().toBuffer()).subarray(0, 900),
    code: 'invalid_body',
  },
];

type Check = (bytes: Buffer, type: string) => Promise<{ status: number; body: ProvenanceCheck }>;

function checkAt(testBed: TestBed): Check {
  return async (bytes, type) => {
    const sent = { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(bytes) };
    const response = await fetch(`${testBed.client.baseUrl}/provenance/check`, sent);
    return { status: response.status, body: (await response.json()) as ProvenanceCheck };
  };
}

export function describeProvenance(testBed: TestBed): void {
  const check = checkAt(testBed);

  describe('the origin of a file', () => {
    it('is told to anybody, of an output and of a copy without its marks', async () => {
      const request = { prompt: 'a lake between mountains', model: 'fast-image', size: '512x512' };
      const { id } = (await testBed.client.post<Job>('/images/generations', request)).body;
      const [output] = imagesOf(await testBed.client.ended(id)) as [ImageOutput];
      const file = Buffer.from(await (await fetch(output.url ?? '')).arrayBuffer());

      const own = await check(file, 'image/png');
      const copy = await check(await sharp(file).resize(256).jpeg({ quality: 60 }).toBuffer(), 'image/jpeg');

      expect(own).toMatchObject({
        status: 200,
        body: { result: 'credential', credential: { valid: true, ours: true }, match: { exact: true } },
      });
      expect(copy.body).toMatchObject({ result: 'similar', credential: null, match: { model: 'fast-image' } });
      expect(JSON.stringify([own, copy])).not.toMatch(new RegExp(`lake|${testBed.accountId}`));
    });

    it('is unknown of another image, and refused of what is none', async () => {
      expect((await check(await image(256, 256).png().toBuffer(), 'image/png')).body).toMatchObject({
        result: 'unknown',
        match: null,
      });
      expect(await check(Buffer.from('no image'), 'image/png')).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_body', param: 'body' } },
      });
    });
  });

  describeHostileFiles(testBed, check);
}

function describeHostileFiles(testBed: TestBed, check: Check): void {
  describe('the origin of a file that is none', () => {
    it.each(HOSTILE)('is refused of $what', async ({ type, bytes, code }) => {
      expect(await check(await bytes(), type)).toMatchObject({ status: 400, body: { error: { code } } });
    });

    it('costs no more than the pixels for a text that unfolds to 100 MB', async () => {
      expect(await check(textBombPng(), 'image/png')).toMatchObject({ status: 200, body: { result: 'unknown' } });
    });

    it('is asked again after a body that is cut off', async () => {
      const cut = await RawConnection.open(testBed.port);
      cut.write(
        'POST /v1/provenance/check HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 9000000\r\n\r\n',
      );
      cut.destroy();
      expect((await check(whitePng(64, 64), 'image/png')).status).toBe(200);
    });

    it('is told or postponed while many ask, and jobs go on', async () => {
      const asked = Array.from({ length: PARALLEL }, () => check(heavyPng(MIB / 2), 'image/png'));
      const { status } = await testBed.client.post<Job>('/images/generations', {
        prompt: 'a lake',
        model: 'fast-image',
      });
      const statuses = (await Promise.all(asked)).map((one) => one.status);
      expect([200, 202]).toContain(status);
      expect(statuses.filter((one) => one !== 503 && one !== 200)).toEqual([]);
      expect(statuses).toContain(200);
    });
  });
}
