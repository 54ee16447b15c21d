import sharp from 'sharp';
import { prepareOutput } from './prepare-output';
import { painting, withCredential } from './painting.fixture';

const size = { width: 320, height: 200 };

describe('prepare output', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('writes %s with provenance metadata', async (format) => {
    const made = await painting(320, 200).png().toBuffer();
    const output = await prepareOutput(made, { ...size, format, provenance: 'algorithmicMedia' });
    expect(output).toMatchObject({ ...size, mime: `image/${format}` });
    const metadata = await sharp(output.bytes).metadata();
    expect(metadata).toMatchObject({ ...size, format });
    expect(metadata.xmp?.toString()).toContain('digitalsourcetype/algorithmicMedia"');
    // Not compressed, so that tools find it that read XMP but not the image format.
    expect(output.bytes.includes('http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia')).toBe(true);
  });

  it.each(['png', 'jpeg', 'webp'] as const)(
    'drops the content credential of a %s, whose thumbnails were not moderated, and marks the image itself',
    async (format) => {
      const made = withCredential(await painting(320, 200).toFormat(format).toBuffer(), format);
      expect(made.includes('c2pa')).toBe(true);
      const { bytes } = await prepareOutput(made, { ...size, format, provenance: 'trainedAlgorithmicMedia' });
      expect([bytes.includes('c2pa'), bytes.includes('trainedAlgorithmicMedia')]).toEqual([false, true]);
    },
  );

  it('uses a white background where a JPEG loses transparency', async () => {
    const clear = await sharp({ create: { ...size, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer();
    const { bytes } = await prepareOutput(clear, { ...size, format: 'jpeg', provenance: 'algorithmicMedia' });
    expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it('refuses an image of another size, and an incomplete image', async () => {
    const made = await painting(320, 200).png().toBuffer();
    const encode = (bytes: Buffer, width = 320) =>
      prepareOutput(bytes, { width, height: 200, format: 'png', provenance: 'algorithmicMedia' });
    await expect(encode(made, 321)).rejects.toMatchObject({ reason: 'wrong_size' });
    await expect(encode(made.subarray(0, made.length >> 1))).rejects.toMatchObject({ reason: 'damaged' });
    await expect(encode(Buffer.from('{"error":"busy"}'))).rejects.toMatchObject({ reason: 'not_an_image' });
  });
});
