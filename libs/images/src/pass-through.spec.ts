import sharp from 'sharp';
import {
  HIDDEN_AMONG_PIXELS,
  HIDDEN_BESIDE_PIXELS,
  PLAIN_FILES,
  pngChunks,
  SECRET,
  SIZE,
  UNUSUAL_FILES,
} from './hidden-data.fixture';
import type { ImageFormat } from './image-format';
import { ImageProblem } from './image-problem';
import { meanDifference } from './painting.fixture';
import { hasReadableText, relabel } from './pass-through';
import { prepareOutput } from './prepare-output';

const formatOf = (name: string): ImageFormat => name.slice(name.lastIndexOf('.') + 1) as ImageFormat;
const rawOf = (file: Buffer): Promise<Buffer> => sharp(file).raw().toBuffer();

/** The usual file of a format, whose pixels the encoder here would code otherwise. */
function usual(format: ImageFormat): Promise<Buffer> {
  const make = PLAIN_FILES[{ png: 'RGB.png', jpeg: '4:2:0.jpeg', webp: 'lossy.webp' }[format]];
  return make ? make().toBuffer() : Promise.reject(new Error(format));
}

async function prepare(file: Buffer, format: ImageFormat): Promise<Buffer> {
  return (await prepareOutput(file, { ...SIZE, format, provenance: 'trainedAlgorithmicMedia' })).bytes;
}

/** Whether the output has the same coded pixels as the file. */
function isPassedThrough(file: Buffer, output: Buffer, format: ImageFormat): boolean {
  const [before, after] = [file, output].map((bytes) => relabel(bytes, format, null)?.bytes);
  return before !== undefined && after !== undefined && before.equals(after);
}

describe('output of the requested format', () => {
  it.each(Object.entries(PLAIN_FILES))('passes with the same pixels and our label alone: %s', async (name, make) => {
    const format = formatOf(name);
    const file = await make()
      .withExif({ IFD0: { ImageDescription: SECRET.toString() } })
      .toBuffer();
    const output = await prepare(file, format);
    expect(isPassedThrough(file, output, format)).toBe(true);
    expect((await rawOf(output)).equals(await rawOf(file))).toBe(true);
    const { xmp, exif, icc, ...shown } = await sharp(output).metadata();
    expect(shown).toMatchObject({ ...SIZE, format });
    expect([xmp?.toString().includes('trainedAlgorithmicMedia'), exif, icc]).toEqual([true, undefined, undefined]);
    expect(output.includes(SECRET)).toBe(false);
    // The same file gives the same bytes, and an output is its own output.
    expect((await prepare(file, format)).equals(output)).toBe(true);
    expect((await prepare(output, format)).equals(output)).toBe(true);
  });

  it.each(Object.entries(HIDDEN_BESIDE_PIXELS))('loses what is hidden beside its pixels: %s', async (name, hide) => {
    const format = formatOf(name);
    const clean = await usual(format);
    const output = await prepare(hide(clean), format);
    expect(output.equals(await prepare(clean, format))).toBe(true);
    expect(isPassedThrough(clean, output, format)).toBe(true);
  });

  it.each(Object.entries(HIDDEN_AMONG_PIXELS))('is encoded anew where its file hides more: %s', async (name, hide) => {
    const format = formatOf(name);
    const clean = await usual(format);
    const file = hide(clean);
    const output = await prepare(file, format);
    expect(output.includes(SECRET.subarray(0, 40))).toBe(false);
    expect(relabel(clean, format, null)?.coded.filter((data) => output.includes(data))).toEqual([]);
    expect(await meanDifference(clean, output)).toBeLessThan(3);
  });

  it.each(Object.entries(UNUSUAL_FILES))('is encoded anew where it is not plain: %s', async (name, make) => {
    const format = formatOf(name);
    const file = await make();
    const output = await prepare(file, format);
    expect(isPassedThrough(file, output, format)).toBe(false);
    expect(await sharp(output).metadata()).toMatchObject({ ...SIZE, format, hasProfile: false, depth: 'uchar' });
    const shown = await sharp(file).autoOrient().toColourspace('srgb').png().toBuffer();
    expect(await meanDifference(shown, output)).toBeLessThan(4);
  });

  it('is converted from any file to any format', async () => {
    const files = [
      ...Object.values(PLAIN_FILES).map((make) => make().toBuffer()),
      ...Object.values(UNUSUAL_FILES).map((make) => make()),
    ];
    for (const file of await Promise.all(files)) {
      for (const format of ['png', 'jpeg', 'webp'] as const) {
        expect(await sharp(await prepare(file, format)).metadata()).toMatchObject({ ...SIZE, format });
      }
    }
  });

  it('consists of four chunks as a PNG', async () => {
    const output = await prepare(await usual('png'), 'png');
    expect(pngChunks(output).map(({ type }) => type)).toEqual(['IHDR', 'iTXt', 'IDAT', 'IEND']);
  });

  it.each(['png', 'jpeg', 'webp'] as const)('never contains a text that is anywhere in a %s', async (format) => {
    const clean = await usual(format);
    const step = Math.ceil(clean.length / 60);
    for (let at = 1; at < clean.length; at += step) {
      const file = Buffer.concat([clean.subarray(0, at), SECRET, clean.subarray(at)]);
      const output = await prepare(file, format).catch((error: unknown) => error);
      if (Buffer.isBuffer(output)) expect(output.includes(SECRET.subarray(0, 32))).toBe(false);
      else expect(output).toBeInstanceOf(ImageProblem);
    }
  });

  it.each(['png', 'jpeg', 'webp'] as const)('is refused where a %s is cut, wherever that is', async (format) => {
    const clean = await usual(format);
    for (const length of [30, clean.length >> 2, clean.length >> 1, clean.length - 9, clean.length - 2]) {
      await expect(prepare(clean.subarray(0, length), format)).rejects.toBeInstanceOf(ImageProblem);
    }
  });

  it('is refused where the checksum of a PNG is wrong', async () => {
    const file = await usual('png');
    const at = file.length - 20;
    file[at] = (file[at] ?? 0) ^ 1;
    await expect(prepare(file, 'png')).rejects.toMatchObject({ reason: 'damaged' });
  });
});

describe('readable text', () => {
  it('is a run of 32 printable characters anywhere', () => {
    const around = Buffer.alloc(100, 0x80);
    for (const [from, length] of [
      [0, 32],
      [3, 32],
      [68, 32],
      [0, 31],
      [37, 31],
      [69, 31],
    ] as const) {
      const bytes = Buffer.from(around);
      bytes.fill('~', from, from + length);
      expect(hasReadableText(bytes)).toBe(length === 32);
    }
  });
});
