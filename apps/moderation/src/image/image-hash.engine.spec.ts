import sharp from 'sharp';
import { sha256Of } from '../judging/sha256';
import { ImageHashEngine } from './image-hash.engine';
import { readTestImage, toKnownImage } from './known-image';
import { ORDINARY_IMAGES } from '../../test/ordinary-images.fixture';
import { COPIES, copyInManyWays } from '../../test/image-copies.fixtures';
import { shownImage } from '../../test/gate.fixtures';

const SIDE = 384;

describe('image hash', () => {
  let image: Buffer;
  let engine: ImageHashEngine;

  beforeAll(async () => {
    image = await readTestImage();
    engine = new ImageHashEngine([await toKnownImage('test_picture', image)]);
  });

  /** The image is decoded at another size where external engines judge it too, which must not change the result. */
  const objectionTo = async (bytes: Buffer) => {
    const objection = engine.findObjection(await shownImage(bytes, { withJpeg: false }));
    expect(engine.findObjection(await shownImage(bytes, { withJpeg: true }))).toBe(objection);
    return objection;
  };

  it('blocks the identical file without decoding it', async () => {
    const known = { reason: 'known', sha256: sha256Of(Buffer.from('not an image')), hashes: [] };

    expect(new ImageHashEngine([known]).findObjection(await shownImage(Buffer.from('not an image')))).toBe('known');
  });

  it.each(Object.entries(COPIES))('recognises the test image %s', async (_disguise, disguise) => {
    expect(await objectionTo(await disguise(sharp(image)).toBuffer())).toBe('test_picture');
  });

  it('recognises the test image after many transformations at once', async () => {
    const copies = await Promise.all(Array.from({ length: 40 }, (_, round) => copyInManyWays(image, round)));
    const objections = await Promise.all(copies.map(objectionTo));

    expect(objections.filter((objection) => objection === 'test_picture')).toHaveLength(copies.length);
  });

  it('recognises it where transparency hides it in one of the two views', async () => {
    const seeThrough = await sharp(image).ensureAlpha(0).png().toBuffer();
    const luminance = await sharp(image).greyscale().negate().raw().toBuffer();
    const stencil = await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#000' } })
      .joinChannel(luminance, { raw: { width: SIDE, height: SIDE, channels: 1 } })
      .png()
      .toBuffer();

    expect(await objectionTo(seeThrough)).toBe('test_picture');
    expect(await objectionTo(stencil)).toBe('test_picture');
  });

  it.each(Object.entries(ORDINARY_IMAGES))('lets pass %s', async (_name, paint) => {
    const ordinary = paint();

    expect(await objectionTo(await ordinary.clone().png().toBuffer())).toBeNull();
    expect(await objectionTo(await ordinary.resize(700, 500, { fit: 'fill' }).jpeg().toBuffer())).toBeNull();
  });

  it('throws for a truncated image', async () => {
    const jpeg = await sharp(image).jpeg().toBuffer();

    await expect(objectionTo(jpeg.subarray(0, jpeg.length >> 1))).rejects.toMatchObject({ reason: 'damaged' });
    await expect(objectionTo(Buffer.from('no image'))).rejects.toMatchObject({ name: 'ImageProblem' });
  });
});
