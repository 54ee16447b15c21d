import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { RENDER_WORKER } from '../fixtures/test-sandbox.fixtures';
import { type ImageOrder, DrawingCanceledError } from '../drawing/draw-order';
import { drawImage } from './draw-image';
import { RenderPool } from './render-pool';

const order: ImageOrder = {
  operation: 'image.generation',
  prompt: 'a lighthouse on a cliff at sunset',
  negativePrompt: '',
  width: 96,
  height: 64,
  seed: 5,
  styles: [],
  images: [],
  blocked: false,
};

/** On a thread: jest makes code that works on single pixels many times slower. */
const pool = new RenderPool(RENDER_WORKER, 1);
afterAll(() => pool.close());

function drawn(changes: Partial<ImageOrder> = {}): Promise<Uint8Array> {
  return pool.draw({ ...order, ...changes }, new AbortController().signal, () => undefined);
}

/** The mean difference per channel of two images. */
async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((file) => sharp(file).removeAlpha().raw().toBuffer()));
  if (!a || !b) throw new Error('two images are needed');
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

const SETTINGS = ['mountains', 'a lake', 'the sea', 'a cliff', 'an autumn forest', 'a desert', 'a meadow', 'a city'];
const OTHERS = ['outer space', 'a still life', 'abstract', 'bauhaus', 'aurora', 'a blizzard', 'fog', 'a boat at night'];
const STYLES = ['ink-wash', 'pixel-art', 'duotone', 'halftone', 'watercolour'];

describe('draw image', () => {
  it('gives other pixels for another seed or other words', async () => {
    const image = await drawn();
    expect(await difference(image, await drawn({ seed: 6 }))).toBeGreaterThan(3);
    expect(await difference(image, await drawn({ prompt: 'a lighthouse on a cliff at noon' }))).toBeGreaterThan(10);
    expect(await difference(image, await drawn({ steps: 1 }))).toBeGreaterThan(0);
  });

  it.each([...SETTINGS, ...OTHERS])('draws %s in any format, with light and dark, twice alike', async (prompt) => {
    for (const format of [
      { width: 96, height: 64 },
      { width: 64, height: 128 },
    ]) {
      const file = await drawn({ prompt, ...format });
      expect(Buffer.compare(await drawn({ prompt, ...format }), file)).toBe(0);
      const image = sharp(file);
      expect(await image.metadata()).toMatchObject(format);
      const { channels } = await image.stats();
      expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(8);
    }
  });

  it('states in its metadata that code drew it and no model', async () => {
    const { xmp } = await sharp(await drawn()).metadata();
    const text = xmp?.toString('utf8') ?? '';
    expect(text).toContain(
      'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"',
    );
    expect(text).toContain('No AI model was involved');
  });

  it.each(STYLES)('draws in the style %s, as strongly as asked from 0.1 to 1.5', async (id) => {
    const plain = await drawn();
    const at = (strength: number) => drawn({ styles: [{ id, strength }] });
    const [touched, half, whole, bold] = await Promise.all([at(0.1), at(0.3), at(1), at(1.5)]);
    expect(await difference(plain, touched)).toBeGreaterThan(0.3);
    expect(await difference(plain, half)).toBeGreaterThan(1);
    expect(await difference(plain, whole)).toBeGreaterThan((await difference(plain, half)) * 1.5);
    expect(await difference(whole, bold)).toBeGreaterThan(1);
  });

  it('draws in several styles, one over the other, in their order', async () => {
    const [one, other] = [
      { id: 'duotone', strength: 0.8 },
      { id: 'pixel-art', strength: 0.8 },
    ];
    const both = await drawn({ styles: [one, other] });
    expect(await difference(both, await drawn({ styles: [other, one] }))).toBeGreaterThan(1);
    expect(await difference(both, await drawn({ styles: [one] }))).toBeGreaterThan(1);
    expect(Buffer.compare(await drawn({ styles: [one, other] }), both)).toBe(0);
  });

  it('shows the whole moderation test image on request', async () => {
    const styles = [{ id: 'halftone', strength: 1 }];
    const image = await drawn({ blocked: true, width: 300, height: 240, styles });
    // Read as bytes: libs/images, which another spec of this process may have loaded, disables opening files by name.
    const asset = sharp(readFileSync(path.join(__dirname, '../../assets/moderation-test.png')));
    const stretched = await asset.resize(300, 240, { fit: 'fill', kernel: 'nearest' }).png().toBuffer();
    expect(await difference(image, stretched)).toBe(0);
  });

  it('stops between two layers when the image is no longer wanted', async () => {
    let requested = 0;
    const givenUp = drawImage(order, () => {
      requested += 1;
      if (requested === 3) throw new DrawingCanceledError();
    });
    await expect(givenUp).rejects.toBeInstanceOf(DrawingCanceledError);
    expect(requested).toBe(3);
  });
});
