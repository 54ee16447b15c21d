import sharp from 'sharp';
import type { ImageOutput, Job } from '@kinora/contracts/jobs/job';
import { dataUri, image } from './images';
import { expectJob } from './resources';
import type { TestBed } from './test-bed';

/** The listed size that an `aspect_ratio` picks (decisions: Sizes). */
function nearestSize(sizes: string[], ratio: string): string | undefined {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const distance = (size: string): number => {
    const [width = 1, height = 1] = size.split('x').map(Number);
    return Math.abs(Math.log(width / height) - Math.log(across / down));
  };
  const area = (size: string): number =>
    size
      .split('x')
      .map(Number)
      .reduce((product, side) => product * side, 1);
  return [...sizes].sort((one, other) => distance(one) - distance(other) || area(other) - area(one))[0];
}

async function ended({ client }: TestBed, path: string, body: object): Promise<Job> {
  const { id } = (await client.post<Job>(path, body)).body;
  const job = await client.ended(id);
  expectJob(job);
  expect([job.status, job.moderation.status, job.usage.charged_micros > 0]).toEqual(['succeeded', 'passed', true]);
  return job;
}

function imagesOf({ output }: Job): ImageOutput[] {
  return output && 'images' in output ? output.images : [];
}

async function fileOf({ url, mime, bytes }: ImageOutput): Promise<Buffer> {
  const response = await fetch(url ?? '');
  const file = Buffer.from(await response.arrayBuffer());
  expect([response.status, response.headers.get('content-type'), file.length]).toEqual([200, mime, bytes]);
  return file;
}

export function describeOutputs(testBed: TestBed): void {
  describe('outputs', () => {
    it.each(['png', 'jpeg', 'webp'])(
      '%s files are complete, of the right size, and in the order of their seeds',
      async (format) => {
        const request = { prompt: 'a lake', size: '512x512', n: 2, seed: 2_147_483_647, output_format: format };
        const job = await ended(testBed, '/images/generations', request);
        expect(imagesOf(job).map(({ seed }) => seed)).toEqual([2_147_483_647, 0]);
        const files = await Promise.all(imagesOf(job).map(fileOf));
        for (const file of files) {
          expect(await sharp(file).metadata()).toMatchObject({ format, width: 512, height: 512 });
          // Decoded to the last pixel.
          const { data, info } = await sharp(file, { failOn: 'truncated' }).raw().toBuffer({ resolveWithObject: true });
          expect([info.width, info.height, data.length]).toEqual([512, 512, 512 * 512 * info.channels]);
        }
        expect(imagesOf(job)).toMatchObject([{ mime: `image/${format}`, width: 512, height: 512 }, {}]);
        expect(files[0]?.equals(files[1] ?? Buffer.alloc(0))).toBe(false);
        expect(Date.parse(job.expires_at ?? '') - Date.parse(job.completed_at ?? '')).toBe(7 * 86_400_000);
      },
      120_000,
    );

    it('an edit is upright, keeps its size, and holds no location of the photo', async () => {
      const exif = { IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } };
      const photo = await image(400, 640).withExif(exif).withMetadata({ orientation: 6, exif }).jpeg().toBuffer();
      const job = await ended(testBed, '/images/edits', {
        prompt: 'brighter',
        image: dataUri(photo),
        output_format: 'jpeg',
      });
      expect(job.input).toMatchObject({ image: { width: 640, height: 400 }, size: '640x400' });
      const [file] = await Promise.all(imagesOf(job).map(fileOf));
      const { format, width, height, exif: left, orientation = 1 } = await sharp(file).metadata();
      expect([format, width, height, left, orientation]).toEqual(['jpeg', 640, 400, undefined, 1]);
      expect(file?.includes('somebody')).toBe(false);
      // Red was on the left; a rotation by 90° moves it to the top.
      const [red = 0, , blue = 0] = await sharp(file)
        .extract({ left: 300, top: 20, width: 1, height: 1 })
        .raw()
        .toBuffer();
      expect(red).toBeGreaterThan(blue);
    }, 120_000);
  });
}

export function describeSizes(testBed: TestBed): void {
  describe('size and aspect_ratio', () => {
    it.each(['1:1', '4:5', '2:3', '5:4', '3:2', '16:9', '9:16'])('%s picks the nearest size', async (aspect_ratio) => {
      const sizes = testBed.models.get('fast-image')?.capabilities.sizes ?? [];
      const request = { prompt: 'a lake', model: 'fast-image', aspect_ratio };
      const { status, body } = await testBed.client.post<Job>('/images/generations', request);
      // On a busy machine even a fast job may take longer than the waiting time of its create.
      expect([200, 202]).toContain(status);
      expect(body.input).toMatchObject({ size: nearestSize(sizes, aspect_ratio) });
      expectJob(body);
    });

    it('size overrides aspect_ratio; without both, the first listed size applies', async () => {
      const sizes = testBed.models.get('general-image')?.capabilities.sizes ?? [];
      const both = await testBed.client.generate({ prompt: '[[delay:9s]]', size: '512x512', aspect_ratio: '16:9' });
      expect(both.input).toMatchObject({ size: '512x512', aspect_ratio: '16:9' });
      const { body: none } = await testBed.client.post<Job>('/images/generations', { prompt: '[[delay:9s]]' });
      expect(none.input).toMatchObject({ size: sizes[0], n: 1, output_format: 'png', model: 'general-image' });
      for (const { id } of [both, none]) await testBed.client.post(`/jobs/${id}/cancel`);
    });
  });
}
