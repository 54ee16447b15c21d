import sharp, { type Sharp } from 'sharp';
import { type Random, pick, seededRandom } from './evasions/random.fixtures';

type Colour = readonly [red: number, green: number, blue: number];
/** The colour at a position from 0 to 1 in either direction; null where the object is not. */
type Thing = (x: number, y: number) => Colour | null;

/** Scenes, patterns and grids: a background with objects. Each number gives another image, always the same. */
export function randomImage(number: number, side = 96): Sharp {
  const random = seededRandom(number * 7919 + 1);
  const things = pick([scene, mosaic, stripes], random)(random);
  const pixels = Buffer.alloc(side * side * 3);
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [(at % side) / side, Math.floor(at / side) / side];
    for (const thing of things) {
      const colour = thing(x, y);
      if (colour) pixels.set(colour, at * 3);
    }
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } });
}

function scene(random: Random): Thing[] {
  const count = 4 + Math.floor(random() * 20);
  return [ground(random), ...Array.from({ length: count }, () => pick([ellipse, box, hill], random)(random))];
}

function ground(random: Random): Thing {
  const [from, to, angle] = [anyColour(random), anyColour(random), random() * Math.PI];
  return (x, y) => {
    const share = (x * Math.cos(angle) + y * Math.sin(angle) + 1) / 2.5;
    return mix(from, to, share);
  };
}

function ellipse(random: Random): Thing {
  const [left, top, width, height, colour] = [random(), random(), size(random), size(random), anyColour(random)];
  return (x, y) => (((x - left) / width) ** 2 + ((y - top) / height) ** 2 < 1 ? colour : null);
}

function box(random: Random): Thing {
  const [left, top, width, height, colour] = [random(), random(), size(random), size(random), anyColour(random)];
  return (x, y) => (Math.abs(x - left) < width && Math.abs(y - top) < height ? colour : null);
}

function hill(random: Random): Thing {
  const [top, swing, waves, colour] = [random(), random() / 4, random() * 12, anyColour(random)];
  return (x, y) => (y > top + swing * Math.sin(waves * x) ? colour : null);
}

/** Patches in a grid, as the test image itself is. */
function mosaic(random: Random): Thing[] {
  const cells = pick([6, 8, 12, 16], random);
  const colours = Array.from({ length: cells * cells }, () => anyColour(random));
  return [(x, y) => colours[Math.floor(y * cells) * cells + Math.floor(x * cells)] ?? null];
}

function stripes(random: Random): Thing[] {
  const [angle, count, colour] = [random() * Math.PI, 3 + random() * 25, anyColour(random)];
  const stripe: Thing = (x, y) => (((x * Math.cos(angle) + y * Math.sin(angle)) * count) % 2 > 1 ? colour : null);
  return [ground(random), stripe, ellipse(random), box(random)];
}

function size(random: Random): number {
  return 0.02 + random() ** 2 * 0.4;
}

function anyColour(random: Random): Colour {
  return [random() * 256, random() * 256, random() * 256];
}

function mix(one: Colour, other: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2): number => one[index] + (other[index] - one[index]) * Math.min(1, Math.max(0, share));
  return [part(0), part(1), part(2)];
}
