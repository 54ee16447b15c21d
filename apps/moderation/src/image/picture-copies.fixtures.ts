import sharp, { type Sharp } from 'sharp';

/** Of the test picture, and of any that is put to the same test. */
const SIDE = 384;

/** What becomes of a picture on its way from one place to another, and what is done to it so that it is not known. */
export const COPIES: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  're-encoded': (picture) => picture.png({ palette: true }),
  'as JPEG of quality 75': (picture) => picture.jpeg({ quality: 75 }),
  'as JPEG of quality 50': (picture) => picture.jpeg({ quality: 50 }),
  'as poor JPEG': (picture) => picture.jpeg({ quality: 15 }),
  'as WebP': (picture) => picture.webp({ quality: 80 }),
  'as poor WebP': (picture) => picture.webp({ quality: 40 }),
  'at half its size': (picture) => picture.resize(192, 192),
  'at a third of its size': (picture) => picture.resize(128, 128),
  'at 75 % of its size': (picture) => picture.resize(288, 288),
  'at 150 % of its size': (picture) => picture.resize(576, 576),
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
  'in warmer colours': (picture) =>
    picture.recomb([
      [1.2, 0, 0],
      [0, 1, 0],
      [0, 0, 0.75],
    ]),
  'in colder colours': (picture) =>
    picture.recomb([
      [0.75, 0, 0],
      [0, 1, 0],
      [0, 0, 1.25],
    ]),
  'with other hues': (picture) => picture.modulate({ hue: 25 }),
  'with pale colours': (picture) => picture.modulate({ saturation: 0.4 }),
  'with strong colours': (picture) => picture.modulate({ saturation: 1.8 }),
  'with another gamma': (picture) => picture.gamma(1.6),
  grey: (picture) => picture.greyscale(),
  'turned a little': (picture) => picture.rotate(2, { background: '#888' }),
  'turned by a quarter': (picture) => picture.rotate(90),
  mirrored: (picture) => picture.flop(),
  'upside down': (picture) => picture.flip(),
  'cropped by 2 %': (picture) => cropped(picture, [0.02, 0.02, 0.02, 0.02]),
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
export async function copyInManyWays(picture: Buffer, round: number): Promise<Buffer> {
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
