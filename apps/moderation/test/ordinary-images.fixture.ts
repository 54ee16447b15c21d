import sharp, { type Sharp } from 'sharp';

const SIDE = 128;
/** The drawings below are laid out on a square of 256. */
const STEP = 2;

type Colour = readonly [red: number, green: number, blue: number];

/** Images that are unrelated to any known one, drawn deterministically. */
export const ORDINARY_IMAGES: Readonly<Record<string, () => Sharp>> = {
  'a blank sheet': () => paint(() => [240, 240, 238]),
  'a gradient': () => paint((x, y) => [x, y, 128]),
  'a steep gradient': () => paint((x, y) => [4 * x, 255 - 3 * y, x + y]),
  'a round light': () => paint((x, y) => grey(255 - 2 * Math.hypot(x - 100, y - 140))),
  noise: () => paint((x, y) => [hash(x, y, 1), hash(x, y, 2), hash(x, y, 3)]),
  'coarse noise': () => paint((x, y) => grey(hash(x >> 3, y >> 3, 4))),
  stripes: () => paint((x, y) => grey(128 + 120 * Math.sin(x / 5 + y / 9))),
  rings: () => paint((x, y) => grey(128 + 120 * Math.sin(Math.hypot(x - 128, y - 90) / 4))),
  'a chessboard of the same grid': () => paint((x, y) => grey((((x >> 4) + (y >> 4)) % 2) * 255)),
  'another mosaic of the same grid': () => paint((x, y) => mosaic(x >> 4, y >> 4, 7)),
  'yet another mosaic': () => paint((x, y) => mosaic(x >> 4, y >> 4, 11)),
  'a mosaic of a finer grid': () => paint((x, y) => mosaic(x >> 3, y >> 3, 13)),
  'a sunset over the sea': () => paint(sunset),
  'a house on a hill': () => paint(house),
  'a page of text': () => paint((x, y) => grey(y % 16 < 8 && hash(x >> 2, y >> 4, 5) > 90 ? 20 : 245)),
};

function paint(colourAt: (x: number, y: number) => Colour): Sharp {
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const colour = colourAt(STEP * (i % SIDE), STEP * Math.floor(i / SIDE)).map((value) =>
      Math.min(255, Math.max(0, value)),
    );
    pixels.set(colour, i * 3);
  }
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } });
}

function grey(value: number): Colour {
  return [value, value, value];
}

function hash(x: number, y: number, seed: number): number {
  const mixed = Math.imul(Math.imul(x + 1, 73_856_093) ^ Math.imul(y + 1, 19_349_663) ^ seed, 2_654_435_761);
  return (mixed ^ (mixed >>> 15)) & 255;
}

function mosaic(x: number, y: number, seed: number): Colour {
  return [hash(x, y, seed), hash(x, y, seed + 1), hash(x, y, seed + 2)];
}

function sunset(x: number, y: number): Colour {
  if (Math.hypot(x - 150, y - 120) < 30) return [255, 230, 150];
  if (y < 140) return [90 + y, 60 + y / 2, 140 - y / 2];
  return grey(60 + 40 * Math.sin(y + 3 * Math.sin(x / 20)));
}

function house(x: number, y: number): Colour {
  if (x > 90 && x < 170 && y > 110 && y < 180) return x > 120 && x < 140 && y > 140 ? [80, 50, 30] : [200, 180, 150];
  if (y > 60 && y <= 110 && Math.abs(x - 130) < (y - 60) * 1.1) return [160, 40, 30];
  return y > 170 - 20 * Math.sin(x / 50) ? [60, 130, 50] : [150, 190, 240];
}
