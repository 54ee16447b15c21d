import { fromHexes, mixColours } from '../raster/colour';
import { clamp } from '../raster/curve';
import { circle, fillOutline } from '../raster/fill-outline';
import { between, pick, type Random } from '../raster/random';
import { seenColour } from '../scene/light';
import { isSnowy, type Stage } from './stage';

const LEAVES = {
  spring: fromHexes('#7fa043', '#93ad52', '#e3b7c4'),
  summer: fromHexes('#4f7231', '#5d7f3a', '#456a34'),
  autumn: fromHexes('#c2622b', '#d99a32', '#a53f28'),
  winter: fromHexes('#6d6259', '#7c7066'),
};
const NEEDLES = fromHexes('#35502f', '#2c4630', '#42592f');

/** Where a thing stands, its height in pixels, the haze in front of it, and the row of level 0 at its distance. */
export interface Place {
  readonly x: number;
  readonly baseY: number;
  readonly tall: number;
  readonly air: number;
  readonly level: number;
}

/** A plant of tufts, from the bottom up: the jagged tiers of a conifer, or the round leafage of a broadleaf tree. */
export function paintPlant(stage: Stage, kind: 'conifer' | 'broadleaf', place: Place, random: Random): void {
  const { raster, light, foot } = stage;
  const { x, baseY, tall, air, level } = place;
  const standAt = (pixel: number): void => void (foot[pixel] = level);
  const leaf = pick(random, kind === 'conifer' ? NEEDLES : LEAVES[stage.scene.season]);
  const own = isSnowy(stage) ? mixColours(leaf, [0.85, 0.88, 0.95], between(random, 0.25, 0.7)) : leaf;
  const shades = [0, 0.25, 0.5, 0.75].map((direct) => seenColour(light, own, direct * 0.9, air));
  const shadeOf = (bright: number) => shades[clamp(Math.floor(bright * 4), 0, 3)]!;
  const trunk = tall * 0.02 + 0.3;
  const bark = seenColour(light, [0.06, 0.045, 0.03], 0.2, air);
  fillOutline(
    raster,
    [
      [x - trunk, baseY],
      [x - trunk / 3, baseY - tall * 0.8],
      [x + trunk, baseY],
    ],
    bark,
    1,
    standAt,
  );
  if (kind === 'broadleaf') {
    const tufts = clamp(Math.round(tall / 3), 5, 60);
    for (let i = 0; i < tufts; i++) {
      const [angle, away] = [random() * 7, Math.sqrt(random()) * 0.3];
      const [dx, dy] = [Math.cos(angle) * away, Math.sin(angle) * away * 0.9];
      const bright = 0.4 + dx * light.side * 1.3 - dy * 1.2 + between(random, -0.15, 0.15);
      const radius = tall * between(random, 0.07, 0.16);
      fillOutline(raster, circle(x + dx * tall, baseY + (dy - 0.62) * tall, radius), shadeOf(bright), 1, standAt);
    }
    return;
  }
  const tiers = clamp(Math.round(tall / 8), 3, 26);
  const spread = between(random, 0.16, 0.22) * tall;
  for (let tier = 0; tier < tiers; tier++) {
    const t = 1 - tier / tiers;
    const y = baseY - tall * (0.06 + 0.94 * (1 - t));
    const [reach, drop] = [spread * t ** 0.8 + 0.5, (tall / tiers) * 1.5];
    for (const side of [-1, 1]) {
      const tip = reach * side * between(random, 0.75, 1.1);
      const bright = 0.4 + 0.3 * side * light.side + between(random, -0.2, 0.2);
      const points = [0.75, 0.5, 0.25].map((s) => [x + tip * s, y + drop * between(random, 0.1, 0.5)] as const);
      const outline = [[x, y - drop], [x + tip, y + drop * 0.15], ...points, [x, y + drop * 0.3]] as const;
      fillOutline(raster, outline, shadeOf(bright), 1, standAt);
    }
  }
}
