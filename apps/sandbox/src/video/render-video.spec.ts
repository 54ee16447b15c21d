import sharp from 'sharp';
import { probeVideo } from '../fixtures/probe-video.fixtures';
import { RENDER_WORKER } from '../fixtures/test-sandbox.fixtures';
import { InvalidInputError, type VideoOrder } from '../render/draw-order';
import { RenderPool } from '../render/render-pool';

/** On a thread: jest slows down code that works on single pixels, many times over. */
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

/** Something with detail everywhere. */
async function startFrame(): Promise<Uint8Array> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  return sharp({ create: { width: 40, height: 24, channels: 3, background: '#777', noise } })
    .resize(320, 192)
    .png()
    .toBuffer();
}

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
  ])('makes H.264 of exactly the size, rate and length that were asked for: %j', async (format) => {
    const { frames, fps } = format;
    const { duration, ...found } = await probeVideo(await rendered(format));
    expect(found).toEqual({ codec: 'avc', ...format, fps: expect.closeTo(fps, 5) as number });
    expect(duration).toBeCloseTo(frames / fps, 5);
  });

  it('gives the same bytes for the same order, and others for another seed or other words', async () => {
    const video = await rendered();
    expect(Buffer.compare(await rendered(), video)).toBe(0);
    expect(Buffer.compare(await rendered({ seed: 6 }), video)).not.toBe(0);
    expect(Buffer.compare(await rendered({ prompt: 'pan left' }), video)).not.toBe(0);
  });

  it('says in its metadata that code drew it and no model', async () => {
    const text = Buffer.from(await rendered()).toString('utf8');
    expect(text).toContain(
      'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"',
    );
    expect(text).toContain('No AI model was involved');
  });

  it('stops between two frames when nobody wants the video any more, and is free for the next', async () => {
    const abort = new AbortController();
    const given = pool.draw({ ...order, images, frames: 3600 }, abort.signal, () => abort.abort());
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    expect((await rendered()).length).toBeGreaterThan(0);
  });

  it('tells a bad start frame from a failure of its own', async () => {
    const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]);
    await expect(rendered({ images: [broken] })).rejects.toBeInstanceOf(InvalidInputError);
  });
});
