import type { ServerResponse } from 'node:http';
import type { ComputeProvider } from '@kinora/compute';
import { ImageProblem } from '@kinora/images';
import { register } from '@kinora/metrics';
import { createTestLog } from '@kinora/testing';
import sharp from 'sharp';
import { drawNoise, ExampleMarker, markImage, readMark } from '../../test/example-marker.fixtures';
import type { JobRow } from '../job/job.entity';
import { JobsConfig } from '../jobs.config';
import { OutputMarker } from './output-marker';

const SIDE = 256;
const provider = { id: 'gpu-a', provenance: 'trainedAlgorithmicMedia' } as ComputeProvider;
const jobWith = (marker: 'none' | 'http') =>
  ({
    id: 'job',
    input: { size: `${SIDE}x${SIDE}` },
    plan: { routes: [{ provider: 'gpu-a', weight: 1, marker }] },
  }) as unknown as JobRow;

describe('watermarks in the pixels of outputs', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const start = async (...answer: Parameters<typeof ExampleMarker.start>) => {
    const marker = await ExampleMarker.start(...answer);
    closing.push(() => marker.close());
    return marker;
  };
  const markerWith = (settings: Partial<JobsConfig>) =>
    new OutputMarker(Object.assign(new JobsConfig(), { markerTimeoutMs: 30_000 }, settings), createTestLog().logger);

  it('are written by the marker of the operator, and can be read from what is stored', async () => {
    const marker = await start();
    const made = await drawNoise(SIDE).webp({ lossless: true }).toBuffer();
    const marked = await markerWith({ markerUrl: `${marker.url}/mark`, markerToken: 'secret' }).mark(
      made,
      jobWith('http'),
      provider,
    );
    expect(await readMark(marked ?? made)).toMatchObject({ detected: true });
    expect(await readMark(made)).toMatchObject({ detected: false });
    expect(marker.requests).toEqual([{ type: 'image/png', authorization: 'Bearer secret' }]);
    expect(await sharp(marked ?? made).metadata()).toMatchObject({ format: 'png', width: SIDE, height: SIDE });
  });

  it('are left out on routes without a marker', async () => {
    const marker = await start();
    expect(await markerWith({ markerUrl: marker.url }).mark(Buffer.from('any'), jobWith('none'), provider)).toBeNull();
    expect(marker.requests).toEqual([]);
  });

  it('cost the backend its damaged output, and not the marker', async () => {
    const marker = await start();
    const marking = markerWith({ markerUrl: marker.url }).mark(Buffer.from('no image'), jobWith('http'), provider);
    await expect(marking).rejects.toBeInstanceOf(ImageProblem);
    expect(marker.requests).toEqual([]);
  });

  describe.each<[string, Parameters<typeof ExampleMarker.start>[0], string]>([
    ['answers with an error', (_, response) => void response.writeHead(500).end('trouble'), 'status 500'],
    [
      'sends on to another address',
      (_, response) => void response.writeHead(302, { location: '/' }).end(),
      'has failed',
    ],
    ['never answers', () => undefined, 'no whole answer in time'],
    [
      'never ends its answer',
      (image, response) => void response.writeHead(200).write(image),
      'no whole answer in time',
    ],
    ['answers without end', floodOf, 'more than'],
    ['breaks off', (image, response) => void response.write(image, () => response.destroy()), 'has failed'],
    ['answers with text', (_, response) => void response.writeHead(200).end('no image'), 'no such image'],
    ['answers with half of an image', (image, response) => void response.end(image.subarray(0, 900)), 'no such image'],
    [
      'answers with another size',
      async (image, response) =>
        void response.end(
          await sharp(image)
            .resize(SIDE / 2)
            .png()
            .toBuffer(),
        ),
      '128x128',
    ],
  ])('by a marker that %s', (_, answer, reason) => {
    it.each([
      ['are waited for', 'closed', 'delayed'],
      ['are left out', 'open', 'stored'],
    ] as const)('%s where it fails %s', async (_what, fails, outcome) => {
      const marker = await start(answer);
      const before = await faults(outcome);
      const made = await drawNoise(SIDE).png().toBuffer();
      const marking = markerWith({ markerUrl: marker.url, markerFails: fails, markerTimeoutMs: 1_500 }).mark(
        made,
        jobWith('http'),
        provider,
      );
      if (fails === 'open') expect(await marking).toBeNull();
      else
        await expect(marking).rejects.toMatchObject({
          name: 'MarkerFault',
          message: expect.stringContaining(reason) as string,
        });
      expect(await faults(outcome)).toBe(before + 1);
    });
  });

  it('are waited for while the marker is away, or has no address', async () => {
    const marker = await ExampleMarker.start();
    const { url: away } = marker;
    await marker.close();
    const made = await markImage(await drawNoise(SIDE).png().toBuffer());
    for (const [url, message] of [
      [away, 'ECONNREFUSED'],
      ['', 'KINORA_MARKER_URL is not set'],
    ] as const) {
      const marking = markerWith({ markerUrl: url }).mark(made, jobWith('http'), provider);
      await expect(marking).rejects.toMatchObject({
        name: 'MarkerFault',
        message: expect.stringContaining(message) as string,
      });
    }
  });
});

function floodOf(_: Buffer, response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
  };
  response.writeHead(200).on('drain', more);
  more();
}

async function faults(outcome: string): Promise<number> {
  const metric = await register.getSingleMetric('kinora_marker_faults_total')?.get();
  return metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
}
