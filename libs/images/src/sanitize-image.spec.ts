import sharp from 'sharp';
import { inspectImage } from './inspect-image';
import { sanitizeImage } from './sanitize-image';
import { animatedPng, meanDifference, painting } from './painting.fixture';

describe('sanitize image', () => {
  it('rotates the image upright and drops EXIF, XMP and trailing data', async () => {
    const photo = await painting(320, 200)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'secret-place' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret-place</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const received = Buffer.concat([photo, Buffer.from('<html>trailer')]);
    const { bytes, facts } = await sanitizeImage(received);
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ format: 'jpeg', width: 200, height: 320 });
    expect([metadata.exif, metadata.xmp, metadata.orientation]).toEqual([undefined, undefined, undefined]);
    expect(bytes.includes('secret-place')).toBe(false);
    expect(bytes.includes('<html>')).toBe(false);
    expect(facts).toEqual(await inspectImage(received));
  });

  it.each(['png', 'jpeg', 'webp'] as const)('keeps the image and the format of a %s', async (format) => {
    const received = await painting(320, 200).toFormat(format, { quality: 100 }).toBuffer();
    const { bytes } = await sanitizeImage(received);
    expect((await sharp(bytes).metadata()).format).toBe(format);
    expect(await meanDifference(received, bytes)).toBeLessThan(3);
  });

  it.each(['png', 'jpeg', 'webp'] as const)(
    'keeps the coded pixels of a plain %s, and nothing else',
    async (format) => {
      const plain = await painting(320, 200).toFormat(format).toBuffer();
      const labelled = await sharp(plain)
        .toFormat(format)
        .withExif({ IFD0: { Copyright: 'secret-place' } })
        .toBuffer();
      const { bytes } = await sanitizeImage(labelled);
      expect(bytes.includes('secret-place')).toBe(false);
      expect(await meanDifference(labelled, bytes)).toBe(0);
      expect((await sanitizeImage(bytes)).bytes).toEqual(bytes);
    },
  );

  it('refuses the same files as inspectImage', async () => {
    const png = await painting(64, 64).png().toBuffer();
    await expect(sanitizeImage(png.subarray(0, png.length - 4))).rejects.toMatchObject({ reason: 'damaged' });
    await expect(sanitizeImage(png.subarray(0, png.length >> 1))).rejects.toMatchObject({ reason: 'damaged' });
    await expect(sanitizeImage(animatedPng(png))).rejects.toMatchObject({ reason: 'animated' });
    await expect(sanitizeImage(await painting(32, 64).png().toBuffer())).rejects.toMatchObject({ reason: 'too_small' });
  });

  it('shrinks an image above the limit, keeping its ratio, and returns the original sides', async () => {
    const received = await painting(640, 320).png().toBuffer();
    const { bytes, facts } = await sanitizeImage(received, { maxSidePx: 160 });
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 80 });
    expect(facts).toMatchObject({ width: 640, height: 320 });
    const small = await sanitizeImage(received, { maxSidePx: 1_000 });
    expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 640, height: 320 });
  });
});
