import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { LEXICON } from '../../../apps/sandbox/src/scene/lexicon';
import { drawImage } from '../../../apps/sandbox/src/render/draw-image';
import { type Random, pick, seededRandom } from '../../../apps/moderation/test/evasions/random.fixtures';

type Colour = readonly [red: number, green: number, blue: number];

const SIDE = 256;
/** From light to dark skin, and the lips, hair and shadows beside it. */
const SKIN: readonly Colour[] = [
  [255, 224, 189],
  [241, 194, 125],
  [224, 172, 150],
  [198, 134, 66],
  [141, 85, 36],
  [92, 56, 34],
  [205, 120, 112],
  [60, 40, 32],
];
const WORDS = [...LEXICON.keys()];
/** Prompts without a word that the sandbox knows, which become abstract artwork. */
const UNKNOWN = ['a portrait of a dancer', 'two friends', 'warm skin', 'a swimmer', 'hands', 'a wrestler', 'the model'];

/** A drawing of the sandbox for a prompt of some of the words that it knows, or of none. */
export async function drawnImage(number: number): Promise<Buffer> {
  const random = seededRandom(number * 6151 + 3);
  const known = Array.from({ length: Math.floor(random() * 5) }, () => pick(WORDS, random));
  const prompt = [...known, ...(known.length < 2 ? [pick(UNKNOWN, random)] : [])].join(', ');
  const order = { operation: 'image.generation', negativePrompt: '', styles: [], images: [], blocked: false } as const;
  return Buffer.from(await drawImage({ ...order, prompt, seed: number, width: SIDE, height: SIDE }, () => undefined));
}

/** A texture or an abstract in the colours of skin: gradients, clouds, marble, bubbles or folds. */
export function skinTexture(number: number): Promise<Buffer> {
  const random = seededRandom(number * 7907 + 5);
  const paint = pick([gradient, clouds, clouds, marble, bubbles, folds], random);
  return paint(random, pick(SKIN.slice(0, 5), random));
}

function near(colour: Colour, spread: number, random: Random): number[] {
  const light = (random() * 2 - 1) * spread;
  return colour.map((value) => Math.max(0, Math.min(255, Math.round(value + light + (random() - 0.5) * spread))));
}

/** A small field of colours that run into each other. */
function field(cells: number, spread: number, random: Random, base: Colour): Promise<Buffer> {
  const colours = Array.from({ length: cells * cells }, () => {
    const colour = random() < 0.15 ? pick(SKIN, random) : base;
    return near(colour, spread, random);
  });
  return sharp(Buffer.from(colours.flat()), { raw: { width: cells, height: cells, channels: 3 } })
    .resize(SIDE, SIDE, { kernel: pick(['linear', 'cubic', 'lanczos3'], random), fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function gradient(random: Random, base: Colour): Promise<Buffer> {
  return field(2 + Math.floor(random() * 2), 60, random, base);
}

function clouds(random: Random, base: Colour): Promise<Buffer> {
  return field(4 + Math.floor(random() * 12), 20 + random() * 60, random, base);
}

function marble(random: Random, base: Colour): Promise<Buffer> {
  const [waves, turn, other] = [3 + random() * 12, random() * Math.PI, pick(SKIN, random)];
  return paintPixels((x, y) => {
    const along = x * Math.cos(turn) + y * Math.sin(turn);
    return mix(base, other, 0.5 + 0.5 * Math.sin(waves * along + 3 * Math.sin(5 * (x - y)) + 2 * Math.sin(9 * y)));
  });
}

function bubbles(random: Random, base: Colour): Promise<Buffer> {
  const discs = Array.from({ length: 4 + Math.floor(random() * 16) }, () => ({
    x: random(),
    y: random(),
    radius: 0.05 + random() * 0.3,
    colour: near(pick(SKIN, random), 20, random) as unknown as Colour,
  }));
  return paintPixels((x, y) =>
    discs.reduce((below, { x: left, y: top, radius, colour }) => {
      const share = 1.6 * (1 - Math.hypot(x - left, y - top) / radius);
      return share > 0 ? mix(below, colour, Math.min(1, share)) : below;
    }, base),
  );
}

function folds(random: Random, base: Colour): Promise<Buffer> {
  const [waves, bend, other] = [2 + random() * 6, random() * 4, pick(SKIN, random)];
  return paintPixels((x, y) => mix(base, other, 0.5 + 0.5 * Math.sin(waves * (x + 0.3 * Math.sin(bend * y * 3)) * 6)));
}

function mix(one: Colour, other: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2): number => one[index] + (other[index] - one[index]) * share;
  return [part(0), part(1), part(2)];
}

function paintPixels(colourAt: (x: number, y: number) => Colour): Promise<Buffer> {
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  for (let at = 0; at < SIDE * SIDE; at++)
    pixels.set(colourAt((at % SIDE) / SIDE, Math.floor(at / SIDE) / SIDE), at * 3);
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

export async function partsOfPhotograph(file: string): Promise<Buffer[]> {
  const whole = await readFile(file);
  const { width, height } = await sharp(whole).metadata();
  const [part, high] = [Math.floor(width * 0.6), Math.floor(height * 0.6)];
  const places = [0, width - part].flatMap((left) => [0, height - high].map((top) => ({ left, top })));
  const parts = places.map((place) =>
    sharp(whole)
      .extract({ ...place, width: part, height: high })
      .png()
      .toBuffer(),
  );
  return [whole, ...(await Promise.all(parts))];
}
