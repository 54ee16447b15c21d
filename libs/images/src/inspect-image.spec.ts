import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { inspectImage } from './inspect-image';
import { sniffMime } from './image-format';
import { animatedPng, animatedWebp, painting, withPngSize } from './painting.fixture';

const encodings = {
  png: () => painting(320, 200).png().toBuffer(),
  'interlaced png': () => painting(320, 200).png({ progressive: true }).toBuffer(),
  jpeg: () => painting(320, 200).jpeg().toBuffer(),
  'progressive jpeg': () => painting(320, 200).jpeg({ progressive: true }).toBuffer(),
  webp: () => painting(320, 200).webp().toBuffer(),
  'lossless webp': () => painting(320, 200).webp({ lossless: true }).toBuffer(),
};

describe('inspect image', () => {
  it.each(Object.entries(encodings))('returns the facts of a %s', async (name, encode) => {
    const bytes = await encode();
    await expect(inspectImage(bytes)).resolves.toEqual({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      width: 320,
      height: 200,
      mime: `image/${name.split(' ').at(-1)}`,
    });
  });

  it('returns the sides after EXIF orientation', async () => {
    const sideways = await painting(320, 200).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    await expect(inspectImage(sideways)).resolves.toMatchObject({ width: 200, height: 320 });
  });

  it.each(Object.entries(encodings))('refuses a %s that is cut off at any place', async (_name, encode) => {
    const bytes = await encode();
    for (const missing of [1, 8, 40, bytes.length >> 2, bytes.length >> 1]) {
      const cut = bytes.subarray(0, bytes.length - missing);
      await expect(inspectImage(cut)).rejects.toMatchObject({ reason: 'damaged' });
    }
  });

  it('refuses a PNG with a flipped bit', async () => {
    const bytes = await encodings.png();
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await expect(inspectImage(bytes)).rejects.toMatchObject({ reason: 'damaged' });
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>'],
    ['HTML', '<!doctype html><title>hello</title>'],
    ['nothing', ''],
  ])('refuses %s', async (_name, text) => {
    await expect(inspectImage(Buffer.from(text))).rejects.toMatchObject({ reason: 'not_an_image' });
  });

  it('refuses animations, also those of one frame', async () => {
    const png = await painting(64, 64).png().toBuffer();
    const negative = await painting(64, 64).negate().png().toBuffer();
    const twoFrames = await sharp([png, negative], { join: { animated: true } })
      .webp()
      .toBuffer();
    const oneFrame = animatedWebp(await painting(64, 64).webp().toBuffer());
    for (const bytes of [animatedPng(png), twoFrames, oneFrame]) {
      await expect(inspectImage(bytes)).rejects.toMatchObject({ reason: 'animated' });
    }
  });

  it('accepts sides from 64 to 4096 pixels only', async () => {
    const facts = async (width: number, height: number) => inspectImage(await painting(width, height).png().toBuffer());
    await expect(facts(64, 4096)).resolves.toMatchObject({ width: 64, height: 4096 });
    await expect(facts(63, 200)).rejects.toMatchObject({ reason: 'too_small' });
    await expect(facts(64, 4097)).rejects.toMatchObject({ reason: 'too_large_side' });
  });

  it('refuses a small file that declares a gigantic size before it decodes it', async () => {
    const bomb = withPngSize(await painting(64, 64).png().toBuffer(), 30_000, 30_000);
    await expect(inspectImage(bomb)).rejects.toMatchObject({ reason: 'too_large_side' });
  });

  it('refuses a JPEG whose scans would keep the decoder busy for minutes', async () => {
    const jpeg = await painting(64, 64).jpeg({ progressive: true }).toBuffer();
    const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
    const many = Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(100).fill(scan), jpeg.subarray(-2)]);
    await expect(inspectImage(many)).rejects.toThrow('far more scans');
    const behind = Buffer.concat([jpeg, ...Array<Buffer>(100).fill(scan)]);
    await expect(inspectImage(behind)).resolves.toMatchObject({ mime: 'image/jpeg' });
  });

  it('refuses more than 10 MiB without reading the content', async () => {
    await expect(inspectImage(Buffer.alloc(10 * 1024 * 1024 + 1))).rejects.toMatchObject({ reason: 'too_many_bytes' });
  });
});

describe('sniff mime', () => {
  it('uses the magic bytes alone', async () => {
    expect(sniffMime(await encodings.png())).toBe('image/png');
    expect(sniffMime(await encodings.jpeg())).toBe('image/jpeg');
    expect(sniffMime(await encodings.webp())).toBe('image/webp');
    expect(sniffMime(Buffer.from('GIF89a'))).toBeNull();
    expect(sniffMime(Buffer.from('RIFF....WAVE'))).toBeNull();
  });
});
