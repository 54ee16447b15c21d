import { type Colour, fromHex, fromHexes, mixColours, scaleColour } from '../../raster/colour';
import { between, pick, type Random } from '../../raster/random';
import { type Raster } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { circle, type Outline, ribbon } from '../../raster/shape';
import { type StudioLight } from './studio-light';

const LEAF = fromHex('#4f6b35');
const HEART = fromHex('#d9a53a');
const BLOSSOMS = fromHexes('#d8677a', '#efe0d0', '#c94a3a', '#e2a24a', '#8a78b8');

const STEMS = 11;
const RINGS: readonly (readonly [size: number, petals: number])[] = [
  [1, 9],
  [0.68, 7],
  [0.4, 5],
];

/** Where flowers are painted, in which light, and from which random series. */
export interface FlowerStudio {
  readonly raster: Raster;
  readonly light: StudioLight;
  readonly random: Random;
}

/** Stems that fan out from the mouth of a vase at (x, y), with leaves and blossoms; back ones first. */
export function paintBouquet(
  studio: FlowerStudio,
  x: number,
  y: number,
  size: number,
  named: Colour | undefined,
): void {
  const { random } = studio;
  const main = named ?? pick(random, BLOSSOMS);
  const other = mixColours(main, pick(random, BLOSSOMS), 0.6);
  const stems = Array.from({ length: STEMS }, (_, i) => {
    const aside = (i + 0.5) / STEMS - 0.5;
    return {
      lean: aside * 1.7 + between(random, -0.12, 0.12),
      reach: size * between(random, 0.62, 1.05) * (1 - 0.56 * Math.abs(aside)),
    };
  });
  for (const { lean, reach } of stems.sort((a, b) => b.reach - a.reach)) {
    const tip = { x: x + Math.sin(lean) * reach, y: y - Math.cos(lean) * reach };
    const bright = 0.5 + 0.4 * Math.sin(lean) * studio.light.side + between(random, -0.1, 0.1);
    paintStem(studio, { x, y, lean, reach }, size, bright);
    paintBlossom(studio, tip, size * between(random, 0.09, 0.15), random() < 0.65 ? main : other, bright);
  }
}

interface Stem {
  readonly x: number;
  readonly y: number;
  readonly lean: number;
  readonly reach: number;
}

function paintStem(
  { raster, light, random }: FlowerStudio,
  { x, y, lean, reach }: Stem,
  size: number,
  bright: number,
): void {
  const at = (t: number, rise: number): readonly [number, number] => [
    x + Math.sin(lean) * reach * t,
    y - Math.cos(lean) * reach * rise,
  ];
  fillOutline(
    raster,
    ribbon([[x, y + size * 0.06], at(0.35, 0.55), at(1, 1)], () => size * 0.014),
    lit(light, LEAF, bright * 0.8),
  );
  for (const t of [0.35, 0.55, 0.75]) {
    const [leafX, leafY] = at(t * 0.85, t);
    const angle = lean + between(random, -1.2, 1.2);
    paintLeaf(
      raster,
      leafX,
      leafY,
      size * between(random, 0.14, 0.24),
      angle,
      lit(light, LEAF, bright * between(random, 0.5, 1.1)),
    );
  }
}

function paintLeaf(raster: Raster, x: number, y: number, length: number, angle: number, colour: Colour): void {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const along = (t: number, aside: number): readonly [number, number] => [
    x + sin * length * t + cos * length * aside,
    y - cos * length * t + sin * length * aside,
  ];
  fillOutline(raster, [along(0, 0), along(0.3, 0.13), along(0.65, 0.11), along(1, 0)], colour);
  fillOutline(raster, [along(0, 0), along(0.3, -0.13), along(0.65, -0.11), along(1, 0)], scaleColour(colour, 0.72));
}

/** Three rings of petals, the inner ones upon the outer ones. */
function paintBlossom(
  { raster, light, random }: FlowerStudio,
  { x, y }: { x: number; y: number },
  radius: number,
  colour: Colour,
  bright: number,
): void {
  RINGS.forEach(([ring, petals]) => {
    const turn = random() * 6;
    for (let i = 0; i < petals; i++) {
      const angle = turn + (i / petals) * Math.PI * 2;
      const facing = Math.cos(angle) * light.side - Math.sin(angle);
      const shade = bright + 0.2 * facing - (1 - ring) * 0.12 + between(random, -0.06, 0.06);
      const outline = petal(
        x + Math.cos(angle) * radius * ring * 0.62,
        y + Math.sin(angle) * radius * ring * 0.52,
        radius * 0.46,
        angle,
      );
      fillOutline(raster, outline, lit(light, colour, shade));
    }
  });
  fillOutline(raster, circle(x, y, radius * 0.15), lit(light, HEART, bright));
}

function petal(x: number, y: number, radius: number, angle: number): Outline {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return circle(0, 0, radius, radius * 0.72).map(([u, v]) => [x + u * cos - v * sin, y + u * sin + v * cos] as const);
}

function lit(light: StudioLight, albedo: Colour, bright: number): Colour {
  const amount = Math.max(0.04, bright);
  return [
    albedo[0] * (light.ambient[0] * 0.7 + light.key[0] * amount),
    albedo[1] * (light.ambient[1] * 0.7 + light.key[1] * amount),
    albedo[2] * (light.ambient[2] * 0.7 + light.key[2] * amount),
  ];
}
