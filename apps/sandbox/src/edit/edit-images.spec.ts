import sharp from 'sharp';
import { type RgbImage, fromSharp, toneOf } from '../raster/rgb-image';
import { editImages } from './edit-images';

/** Four quarters: red and green above, blue and grey below. */
async function photo(): Promise<Buffer> {
  const quarter = (left: number, top: number, background: string) => ({
    input: { create: { width: 60, height: 40, channels: 3 as const, background } },
    left,
    top,
  });
  const canvas = sharp({ create: { width: 120, height: 80, channels: 3, background: '#808080' } });
  return canvas
    .composite([quarter(0, 0, '#c03030'), quarter(60, 0, '#30b040'), quarter(0, 40, '#3040c0')])
    .png()
    .toBuffer();
}

async function edited(
  prompt: string,
  changes: { width?: number; height?: number; images?: Buffer[]; negativePrompt?: string } = {},
) {
  const images = changes.images ?? [await photo()];
  return editImages(
    {
      operation: 'image.edit',
      prompt,
      negativePrompt: '',
      width: 120,
      height: 80,
      seed: 4,
      styles: [],
      blocked: false,
      ...changes,
      images,
    },
    () => undefined,
  );
}

function at({ data, width }: RgbImage, x: number, y: number): [number, number, number] {
  const offset = (y * width + x) * 3;
  return [data[offset]!, data[offset + 1]!, data[offset + 2]!];
}

const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values: ArrayLike<number>): number => {
  const middle = mean(values);
  return Math.sqrt(mean(Array.from(values, (value) => (value - middle) ** 2)));
};
const chroma = (colour: readonly number[]): number => Math.max(...colour) - Math.min(...colour);

describe('edit images', () => {
  let original: RgbImage;
  beforeAll(async () => (original = await fromSharp(sharp(await photo()))));

  it('makes every pixel grey', async () => {
    const { data } = await edited('make it black and white');
    for (let i = 0; i < data.length; i += 3) expect([data[i + 1], data[i + 2]]).toEqual([data[i], data[i]]);
  });

  it('inverts every channel', async () => {
    const { data } = await edited('invert the colours');
    expect(Array.from(data)).toEqual(Array.from(original.data, (value) => 255 - value));
  });

  it('browns', async () => {
    const [red, green, blue] = at(await edited('in sepia'), 100, 60);
    expect(red).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(blue);
  });

  it('brightens and darkens, a little or a lot', async () => {
    const levels = await Promise.all(
      ['much darker', 'darken it', 'slightly darker', 'slightly brighter', 'brighter'].map(async (words) =>
        mean((await edited(words)).data),
      ),
    );
    expect(levels).toEqual([...levels].sort((a, b) => a - b));
    expect(levels[2]).toBeLessThan(mean(original.data));
    expect(levels[3]).toBeGreaterThan(mean(original.data));
  });

  it('spreads or gathers the tones', async () => {
    /** How much lighter the green quarter is than the blue one. */
    const distance = (image: RgbImage): number => toneOf(at(image, 90, 20)) - toneOf(at(image, 30, 60));
    expect(distance(await edited('more contrast'))).toBeGreaterThan(distance(original) * 1.1);
    expect(distance(await edited('with less contrast'))).toBeLessThan(distance(original) * 0.9);
  });

  it('strengthens or weakens the colours', async () => {
    const before = chroma(at(original, 30, 20));
    expect(chroma(at(await edited('more colourful'), 30, 20))).toBeGreaterThan(before);
    expect(chroma(at(await edited('desaturate it'), 30, 20))).toBeLessThan(before * 0.7);
  });

  it('warms and cools', async () => {
    const [warmRed, , warmBlue] = at(await edited('make it warmer'), 100, 60);
    expect(warmRed).toBeGreaterThan(warmBlue + 8);
    const [coolRed, , coolBlue] = at(await edited('cooler please'), 100, 60);
    expect(coolBlue).toBeGreaterThan(coolRed + 8);
  });

  it('tints towards a named colour', async () => {
    const [red, green, blue] = at(await edited('tint it purple'), 100, 60);
    expect(Math.min(red, blue)).toBeGreaterThan(green + 20);
  });

  it('blurs and sharpens', async () => {
    /** How steep the edge between the red and the green quarter is. */
    const edge = (image: RgbImage): number => toneOf(at(image, 60, 20)) - toneOf(at(image, 59, 20));
    expect(edge(await edited('blur it heavily'))).toBeLessThan(edge(original) * 0.8);
    const soft = await sharp(await photo())
      .blur(2)
      .png()
      .toBuffer();
    const asGiven = await edited('rotate 360 degrees', { images: [soft] });
    expect(edge(await edited('sharpen it a lot', { images: [soft] }))).toBeGreaterThan(edge(asGiven));
  });

  it.each([
    ['rotate 180 degrees', 90, 60],
    ['turn it upside down', 90, 60],
    ['mirror it', 90, 20],
    ['flip it vertically', 30, 60],
  ])('%s: the red quarter moves to %d, %d', async (words, x, y) => {
    expect(at(await edited(words), x, y)).toEqual([0xc0, 0x30, 0x30]);
  });

  it('rotates to the left and to the right', async () => {
    const left = await edited('rotate left', { width: 80, height: 120 });
    expect(at(left, 20, 90)).toEqual([0xc0, 0x30, 0x30]);
    const right = await edited('rotate 90 degrees clockwise', { width: 80, height: 120 });
    expect(at(right, 60, 30)).toEqual([0xc0, 0x30, 0x30]);
  });

  it('crops to the middle square, all of which is in the result', async () => {
    const square = await edited('crop to a square', { width: 80, height: 80 });
    expect([at(square, 2, 2), at(square, 77, 2)]).toEqual([
      [0xc0, 0x30, 0x30],
      [0x30, 0xb0, 0x40],
    ]);
  });

  it('frames in a named colour, inside the wanted size', async () => {
    const framed = await edited('with a thick blue frame');
    expect([at(framed, 0, 0), at(framed, 119, 79), at(framed, 60, 3)]).toEqual([
      [0, 0, 255],
      [0, 0, 255],
      [0, 0, 255],
    ]);
    expect(at(framed, 30, 25)[0]).toBeGreaterThan(0xa0);
  });

  it('darkens the corners and leaves the middle', async () => {
    const { data } = await edited('add a vignette');
    const vignetted = { width: 120, height: 80, data };
    expect(at(vignetted, 1, 1)[0]).toBeLessThan(0xc0 * 0.6);
    expect(at(vignetted, 62, 42)).toEqual([0x80, 0x80, 0x80]);
  });

  it('makes blocks of one colour where it pixelates', async () => {
    const soft = await sharp(await photo())
      .blur(12)
      .png()
      .toBuffer();
    const steps = (image: RgbImage): number =>
      Array.from({ length: 119 }, (_, x) => at(image, x, 20).join() !== at(image, x + 1, 20).join()).filter(Boolean)
        .length;
    const asGiven = await edited('rotate 360 degrees', { images: [soft] });
    expect(steps(await edited('pixelate it heavily', { images: [soft] }))).toBeLessThan(steps(asGiven) * 0.6);
  });

  it('leaves few colours where it posterizes', async () => {
    const { data } = await edited('posterize');
    expect([...new Set(data)].every((value) => [0, 85, 170, 255].includes(value))).toBe(true);
  });

  it('draws in pencil: grey lines on light paper', async () => {
    const { data } = await edited('turn it into a pencil sketch');
    expect(mean(data)).toBeGreaterThan(150);
    expect(spread(data)).toBeGreaterThan(10);
  });

  it.each([
    'in the rain',
    'add snow',
    'heavy fog',
    'at sunset',
    'as an ink wash',
    'comic halftone',
    'duotone',
    'a watercolour',
  ])('changes the picture: %s', async (words) => {
    const { data } = await edited(words);
    expect(mean(data.map((value, i) => Math.abs(value - original.data[i]!)))).toBeGreaterThan(3);
  });

  it('makes night of day', async () => {
    const { data } = await edited('make it night');
    expect(mean(data)).toBeLessThan(mean(original.data) * 0.6);
  });

  it('applies several edits in the order of the words', async () => {
    const redFrame = await edited('make it black and white, then add a red border');
    const greyFrame = await edited('add a red border, then make it black and white');
    expect(at(redFrame, 0, 0)).toEqual([255, 0, 0]);
    expect(chroma(at(greyFrame, 0, 0))).toBe(0);
  });

  it('does not apply a negated edit', async () => {
    const plain = await edited('brighter, no vignette');
    expect(Buffer.compare(plain.data, (await edited('brighter')).data)).toBe(0);
    const spared = await edited('brighter with a vignette', { negativePrompt: 'vignette' });
    expect(Buffer.compare(spared.data, (await edited('brighter')).data)).toBe(0);
  });

  it('grades mildly, by the seed, an instruction without a known edit', async () => {
    const one = await edited('surprise me');
    expect(Buffer.compare(one.data, (await edited('surprise me')).data)).toBe(0);
    const change = mean(one.data.map((value, i) => Math.abs(value - original.data[i]!)));
    expect(change).toBeGreaterThan(0.5);
    expect(change).toBeLessThan(40);
  });

  it('keeps the whole image when the wanted size has other proportions', async () => {
    const tall = await edited('brighter', { width: 120, height: 200 });
    expect([tall.width, tall.height]).toEqual([120, 200]);
    expect(at(tall, 5, 65)[0]).toBeGreaterThan(0xc0);
    expect(at(tall, 5, 135)[2]).toBeGreaterThan(0xc0);
  });

  describe('with several images', () => {
    const plain = (background: string): Promise<Buffer> =>
      sharp({ create: { width: 100, height: 100, channels: 3, background } })
        .png()
        .toBuffer();

    it.each(['put them side by side', 'make a collage'])('places them side by side: %s', async (words) => {
      const images = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map(plain));
      const joined = await edited(words, { images, width: 120, height: 40 });
      expect([20, 60, 100].map((x) => at(joined, x, 20))).toEqual([
        [255, 0, 0],
        [0, 255, 0],
        [0, 0, 255],
      ]);
    });

    it('blends them', async () => {
      const images = await Promise.all(['#ff0000', '#0000ff'].map(plain));
      const [red, green, blue] = at(await edited('blend the two', { images, width: 80, height: 80 }), 40, 40);
      expect([Math.round(red / 10), green, Math.round(blue / 10)]).toEqual([13, 0, 13]);
    });
  });
});
