import sharp, { type Sharp } from 'sharp';

/** Side in pixels of the test image, and of every image in the same test. */
const SIDE = 384;

/** Transformations that files go through when they are shared, and those that try to avoid recognition. */
export const COPIES: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  're-encoded': (image) => image.png({ palette: true }),
  'as JPEG of quality 75': (image) => image.jpeg({ quality: 75 }),
  'as JPEG of quality 50': (image) => image.jpeg({ quality: 50 }),
  'as poor JPEG': (image) => image.jpeg({ quality: 15 }),
  'as WebP': (image) => image.webp({ quality: 80 }),
  'as poor WebP': (image) => image.webp({ quality: 40 }),
  'at half its size': (image) => image.resize(192, 192),
  'at a third of its size': (image) => image.resize(128, 128),
  'at 75 % of its size': (image) => image.resize(288, 288),
  'at 150 % of its size': (image) => image.resize(576, 576),
  'at double its size': (image) => image.resize(768, 768),
  'enlarged in blocks': (image) => image.resize(1000, 1000, { kernel: 'nearest' }),
  'stretched by a fifth': (image) => image.resize(460, SIDE, { fit: 'fill' }),
  'stretched to 16:9': (image) => image.resize(1280, 720, { fit: 'fill' }),
  'filling 4:3': (image) => image.resize(1024, 768, { fit: 'cover' }),
  'filling 3:2': (image) => image.resize(1536, 1024, { fit: 'cover' }),
  'filling 16:9': (image) => image.resize(1280, 720, { fit: 'cover' }),
  'filling 9:16': (image) => image.resize(720, 1280, { fit: 'cover' }),
  blurred: (image) => image.blur(4),
  'strongly blurred': (image) => image.blur(12),
  brightened: (image) => image.modulate({ brightness: 1.4 }),
  darkened: (image) => image.modulate({ brightness: 0.5 }),
  faded: (image) => image.linear(0.2, 100),
  'in warmer colours': (image) =>
    image.recomb([
      [1.2, 0, 0],
      [0, 1, 0],
      [0, 0, 0.75],
    ]),
  'in colder colours': (image) =>
    image.recomb([
      [0.75, 0, 0],
      [0, 1, 0],
      [0, 0, 1.25],
    ]),
  'with other hues': (image) => image.modulate({ hue: 25 }),
  'with pale colours': (image) => image.modulate({ saturation: 0.4 }),
  'with strong colours': (image) => image.modulate({ saturation: 1.8 }),
  'with another gamma': (image) => image.gamma(1.6),
  grey: (image) => image.greyscale(),
  'turned a little': (image) => image.rotate(2, { background: '#888' }),
  'turned by a quarter': (image) => image.rotate(90),
  mirrored: (image) => image.flop(),
  'upside down': (image) => image.flip(),
  'cropped by 2 %': (image) => cropped(image, [0.02, 0.02, 0.02, 0.02]),
  'cropped by 5 %': (image) => cropped(image, [0.05, 0.05, 0.05, 0.05]),
  'cropped by 8 %': (image) => cropped(image, [0.08, 0.08, 0.08, 0.08]),
  'cropped on one side': (image) => cropped(image, [0, 0.08, 0, 0]),
  'cropped unevenly': (image) => cropped(image, [0.02, 0.07, 0.045, 0.01]),
  'in a narrow frame': (image) => image.extend({ top: 6, bottom: 6, left: 6, right: 6, background: '#fff' }),
};

function cropped(image: Sharp, [top, right, bottom, left]: [number, number, number, number]): Sharp {
  return image.extract({
    left: Math.round(SIDE * left),
    top: Math.round(SIDE * top),
    width: Math.round(SIDE * (1 - left - right)),
    height: Math.round(SIDE * (1 - top - bottom)),
  });
}

/** Crop, stretch, scale, blur, brightness and encoder at once, each by an amount between none and much. */
export async function copyInManyWays(image: Buffer, round: number): Promise<Buffer> {
  const amount = (step: number): number => ((round * step) % 1000) / 1000;
  const crop = [amount(617), amount(409), amount(271), amount(883)].map((share) => share * 0.07);
  const cut = await cropped(sharp(image), crop as [number, number, number, number])
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
