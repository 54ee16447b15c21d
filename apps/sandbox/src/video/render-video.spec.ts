import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { TYPESCRIPT_ARGUMENTS } from '@kinora/testing';
import { BUILT_IN_DECODER, sampleFrames } from '@kinora/videos';
import { probeVideo } from '../fixtures/probe-video.fixtures';
import { RENDER_WORKER } from '../fixtures/test-sandbox.fixtures';
import { createRandom } from '../raster/random';
import { InvalidInputError, type VideoOrder } from '../drawing/draw-order';
import { RenderPool } from '../render/render-pool';

/** On a thread: jest makes code that works on single pixels many times slower. */
const pool = new RenderPool(RENDER_WORKER, 1);
afterAll(() => pool.close());

const order: VideoOrder = {
  operation: 'video.generation',
  prompt: '',
  negativePrompt: '',
  width: 160,
  height: 96,
  seed: 5,
  images: [],
  blocked: false,
  frames: 12,
  fps: 24,
};

/** Blots of every lightness everywhere, the same in each run. */
async function startFrame(): Promise<Uint8Array> {
  const random = createRandom(1);
  const blots = Uint8Array.from({ length: 40 * 24 }, () => Math.floor(random() * 256));
  return sharp(blots, { raw: { width: 40, height: 24, channels: 1 } })
    .resize(320, 192)
    .png()
    .toBuffer();
}

/** The lightness of each pixel, from 0 to 255. */
interface Frame {
  readonly width: number;
  readonly light: Uint8Array;
}

function toFrame(rgb: Uint8Array, width: number): Frame {
  const lightOf = (at: number): number => rgb[at]! * 0.299 + rgb[at + 1]! * 0.587 + rgb[at + 2]! * 0.114;
  return { width, light: Uint8Array.from({ length: rgb.length / 3 }, (_, i) => lightOf(i * 3)) };
}

async function frameOf(image: Sharp): Promise<Frame> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return toFrame(data, info.width);
}

/** Some frames of a video, the first and the last among them, by a decoder that is independent of the encoder. */
async function framesOf(file: Uint8Array): Promise<Frame[]> {
  const builtInDecoder = { ...BUILT_IN_DECODER, execArgv: TYPESCRIPT_ARGUMENTS };
  const frames: Frame[] = [];
  for await (const { rgb, width } of sampleFrames(file, { ffmpegPath: '', timeoutMs: 60_000, builtInDecoder }))
    frames.push(toFrame(rgb, width));
  return frames;
}

const meanDifference = (a: Frame, b: Frame): number =>
  a.light.reduce((sum, light, i) => sum + Math.abs(light - b.light[i]!), 0) / a.light.length;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The mean difference in lightness between two places of two frames, over every other pixel around them. */
function differenceAt(a: Frame, b: Frame, from: Place, to: Place): number {
  const side = 16;
  let sum = 0;
  for (let y = -side / 2; y < side / 2; y += 2) {
    for (let x = -side / 2; x < side / 2; x += 2) {
      const one = a.light[(from.y + y) * a.width + from.x + x] ?? 0;
      sum += Math.abs(one - (b.light[(to.y + y) * b.width + to.x + x] ?? 0));
    }
  }
  return sum / (side / 2) ** 2;
}

/** How far the content at a place of the first frame has moved in the last one. */
function displacementAt(frames: readonly Frame[], place: Place): Place {
  const [first, last] = [frames[0]!, frames.at(-1)!];
  const reach = Array.from({ length: 23 }, (_, i) => i * 2 - 22);
  const ways = reach.flatMap((x) => reach.map((y) => ({ x, y })));
  const differences = ways.map((way) => differenceAt(first, last, place, { x: place.x + way.x, y: place.y + way.y }));
  return ways[differences.indexOf(Math.min(...differences))]!;
}

const MIDDLE = { x: 80, y: 48 };
const LEFT = { x: 40, y: 48 };
const RIGHT = { x: 120, y: 48 };

describe('render video', () => {
  let images: Uint8Array[];
  beforeAll(async () => {
    images = [await startFrame()];
  });

  const rendered = (changes: Partial<VideoOrder> = {}): Promise<Uint8Array> =>
    pool.draw({ ...order, images, ...changes }, new AbortController().signal, () => undefined);

  it.each([
    { width: 160, height: 96, frames: 48, fps: 24 },
    { width: 90, height: 158, frames: 15, fps: 12.5 },
    { width: 64, height: 66, frames: 30, fps: 29.97 },
    { width: 64, height: 64, frames: 1, fps: 60 },
  ])('makes H.264 of exactly the requested size, rate and length: %j', async (format) => {
    const { frames, fps } = format;
    const { duration, ...found } = await probeVideo(await rendered(format));
    expect(found).toEqual({ codec: 'avc', ...format, fps: expect.closeTo(fps, 5) as number });
    expect(duration).toBeCloseTo(frames / fps, 5);
  });

  it('begins with the start frame, and ends with another', async () => {
    const frames = await framesOf(await rendered());
    const start = await frameOf(sharp(images[0]).resize(160, 96));
    for (const place of [LEFT, RIGHT]) {
      expect(differenceAt(frames[0]!, start, place, place)).toBeLessThan(5);
      expect(differenceAt(frames.at(-1)!, start, place, place)).toBeGreaterThan(15);
    }
  });

  it.each([
    ['pan right', 'goes left', -20, -6],
    ['pan left', 'goes right', 6, 20],
    ['zoom in', 'stays where it is', -2, 2],
    ['static', 'stays where it is', 0, 0],
  ])('moves as the prompt says: for %j the content in the middle %s', async (prompt, _way, least, most) => {
    const { x } = displacementAt(await framesOf(await rendered({ prompt })), MIDDLE);
    expect(x).toBeGreaterThanOrEqual(least);
    expect(x).toBeLessThanOrEqual(most);
  });

  it.each([
    ['zoom in', 'apart', 16, 40],
    ['zoom out', 'together', -20, -4],
  ])('moves as the prompt says: for %j left and right come %s', async (prompt, _way, least, most) => {
    const frames = await framesOf(await rendered({ prompt }));
    const spread = displacementAt(frames, RIGHT).x - displacementAt(frames, LEFT).x;
    expect(spread).toBeGreaterThanOrEqual(least);
    expect(spread).toBeLessThanOrEqual(most);
  });

  it.each(['snow', 'rain', 'fog'])('adds %s to an image that stands still', async (weather) => {
    const frames = await framesOf(await rendered({ prompt: `static, heavy ${weather}`, frames: 48 }));
    expect(meanDifference(frames[0]!, frames.at(-1)!)).toBeGreaterThan(1);
    expect(meanDifference(frames.at(-2)!, frames.at(-1)!)).toBeGreaterThan(0.2);
  });

  it('shows the whole moderation test image all the time on request', async () => {
    const frames = await framesOf(await rendered({ blocked: true, prompt: 'zoom in, heavy snow' }));
    const asset = readFileSync(path.join(__dirname, '../../assets/moderation-test.png'));
    const stretched = sharp(asset).resize(160, 96, { fit: 'fill', kernel: 'nearest' });
    const expected = await frameOf(stretched);
    for (const shown of [frames[0]!, frames.at(-1)!]) expect(meanDifference(shown, expected)).toBeLessThan(3);
  });

  it('gives the same bytes for the same order, and others for another seed or other words', async () => {
    const video = await rendered();
    expect(Buffer.compare(await rendered(), video)).toBe(0);
    expect(Buffer.compare(await rendered({ seed: 6 }), video)).not.toBe(0);
    expect(Buffer.compare(await rendered({ prompt: 'pan left' }), video)).not.toBe(0);
  });

  it('states in its metadata that code drew it and no model', async () => {
    const text = Buffer.from(await rendered()).toString('utf8');
    expect(text).toContain(
      'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"',
    );
    expect(text).toContain('No AI model was involved');
  });

  it('stops between two frames when the video is no longer wanted, and is free for the next', async () => {
    const abort = new AbortController();
    const given = pool.draw({ ...order, images, frames: 3600 }, abort.signal, () => abort.abort());
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    expect((await rendered()).length).toBeGreaterThan(0);
  });

  it('distinguishes an invalid start frame from a failure of its own', async () => {
    const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]);
    await expect(rendered({ images: [broken] })).rejects.toBeInstanceOf(InvalidInputError);
  });
});
