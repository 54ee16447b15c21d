import sharp from 'sharp';
import type { ImageOutput, Job } from '@kinora/contracts/jobs/job';
import { dataUri, image } from './images';
import { expectJob } from './resources';
import type { TestBed } from './test-bed';

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
