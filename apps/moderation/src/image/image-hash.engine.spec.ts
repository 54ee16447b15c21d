import sharp, { type Sharp } from 'sharp';
import type { LoadedImage } from '../gate/engine';
import { sha256Of } from '../gate/sha256';
import { ImageHashEngine } from './image-hash.engine';
import { toKnownImage } from './known-image';
import { ORDINARY_PICTURES } from './ordinary-pictures.fixture';
import { readTestPicture } from './test-picture';

const SIDE = 384;

const disguises: Record<string, (picture: Sharp) => Sharp> = {
  're-encoded': (picture) => picture.png({ palette: true }),
  'as JPEG': (picture) => picture.jpeg({ quality: 60 }),
  'as poor JPEG': (picture) => picture.jpeg({ quality: 15 }),
  'as WebP': (picture) => picture.webp({ quality: 40 }),
  'at half its size': (picture) => picture.resize(192, 192),
  'at a third of its size': (picture) => picture.resize(128, 128),
  'at double its size': (picture) => picture.resize(768, 768),
  'enlarged in blocks': (picture) => picture.resize(1000, 1000, { kernel: 'nearest' }),
  'stretched by a fifth': (picture) => picture.resize(460, SIDE, { fit: 'fill' }),
  'stretched to 16:9': (picture) => picture.resize(1280, 720, { fit: 'fill' }),
  'filling 4:3': (picture) => picture.resize(1024, 768, { fit: 'cover' }),
  'filling 3:2': (picture) => picture.resize(1536, 1024, { fit: 'cover' }),
  'filling 16:9': (picture) => picture.resize(1280, 720, { fit: 'cover' }),
  'filling 9:16': (picture) => picture.resize(720, 1280, { fit: 'cover' }),
  blurred: (picture) => picture.blur(4),
  'strongly blurred': (picture) => picture.blur(12),
  brightened: (picture) => picture.modulate({ brightness: 1.4 }),
  darkened: (picture) => picture.modulate({ brightness: 0.5 }),
  faded: (picture) => picture.linear(0.2, 100),
  grey: (picture) => picture.greyscale(),
  'turned a little': (picture) => picture.rotate(2, { background: '#888' }),
  'turned by a quarter': (picture) => picture.rotate(90),
  mirrored: (picture) => picture.flop(),
  'upside down': (picture) => picture.flip(),
  'cropped by 5 %': (picture) => cropped(picture, [0.05, 0.05, 0.05, 0.05]),
  'cropped by 8 %': (picture) => cropped(picture, [0.08, 0.08, 0.08, 0.08]),
  'cropped on one side': (picture) => cropped(picture, [0, 0.08, 0, 0]),
  'cropped unevenly': (picture) => cropped(picture, [0.02, 0.07, 0.045, 0.01]),
  'in a narrow frame': (picture) => picture.extend({ top: 6, bottom: 6, left: 6, right: 6, background: '#fff' }),
};

function cropped(picture: Sharp, [top, right, bottom, left]: [number, number, number, number]): Sharp {
  return picture.extract({
    left: Math.round(SIDE * left),
    top: Math.round(SIDE * top),
    width: Math.round(SIDE * (1 - left - right)),
    height: Math.round(SIDE * (1 - top - bottom)),
  });
}

/** Crop, stretch, scale, blur, brightness and encoder at once, each by an amount between none and much. */
async function disguisedInMany(picture: Buffer, round: number): Promise<Buffer> {
  const amount = (step: number): number => ((round * step) % 1000) / 1000;
  const crop = [amount(617), amount(409), amount(271), amount(883)].map((share) => share * 0.07);
  const cut = await cropped(sharp(picture), crop as [number, number, number, number])
    .png()
    .toBuffer();
  const reshaped = await sharp(cut)
    .resize(Math.round(192 + 576 * amount(337)), Math.round(192 + 576 * amount(733)), { fit: 'fill' })
    .png()
    .toBuffer();
  const changed = sharp(reshaped)
    .blur(0.5 + 3 * amount(523))
    .modulate({ brightness: 0.6 + 0.8 * amount(151) });
  return (round % 2 === 0 ? changed.jpeg({ quality: 40 }) : changed.webp({ quality: 40 })).toBuffer();
}

function loaded(bytes: Buffer): LoadedImage {
  return { param: null, bytes, sha256: sha256Of(bytes) };
}

describe('image hash', () => {
  let picture: Buffer;
  let engine: ImageHashEngine;

  beforeAll(async () => {
    picture = await readTestPicture();
    engine = new ImageHashEngine([await toKnownImage('test_picture', picture)]);
  });

  const objectionTo = (bytes: Buffer) => engine.findObjection(loaded(bytes));

  it('blocks the very file without looking at it', async () => {
    const known = { reason: 'known', sha256: sha256Of(Buffer.from('not an image')), hashes: [] };

    expect(await new ImageHashEngine([known]).findObjection(loaded(Buffer.from('not an image')))).toBe('known');
  });

  it.each(Object.entries(disguises))('recognises the test picture %s', async (_disguise, disguise) => {
    expect(await objectionTo(await disguise(sharp(picture)).toBuffer())).toBe('test_picture');
  });

  it('recognises the test picture under many disguises at once', async () => {
    const copies = await Promise.all(Array.from({ length: 40 }, (_, round) => disguisedInMany(picture, round)));
    const objections = await Promise.all(copies.map(objectionTo));

    expect(objections.filter((objection) => objection === 'test_picture')).toHaveLength(copies.length);
  });

  it('recognises it where transparency hides it from people or from programs', async () => {
    const seeThrough = await sharp(picture).ensureAlpha(0).png().toBuffer();
    const luminance = await sharp(picture).greyscale().negate().raw().toBuffer();
    const stencil = await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#000' } })
      .joinChannel(luminance, { raw: { width: SIDE, height: SIDE, channels: 1 } })
      .png()
      .toBuffer();

    expect(await objectionTo(seeThrough)).toBe('test_picture');
    expect(await objectionTo(stencil)).toBe('test_picture');
  });

  it.each(Object.entries(ORDINARY_PICTURES))('lets pass %s', async (_name, paint) => {
    const ordinary = paint();

    expect(await objectionTo(await ordinary.clone().png().toBuffer())).toBeNull();
    expect(await objectionTo(await ordinary.resize(700, 500, { fit: 'fill' }).jpeg().toBuffer())).toBeNull();
  });

  it('cannot judge what it cannot read to its end', async () => {
    const jpeg = await sharp(picture).jpeg().toBuffer();

    await expect(objectionTo(jpeg.subarray(0, jpeg.length >> 1))).rejects.toMatchObject({ reason: 'damaged' });
    await expect(objectionTo(Buffer.from('no image'))).rejects.toMatchObject({ name: 'ImageProblem' });
  });
});
