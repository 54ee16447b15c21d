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

/** Where a thing stands, its height in pixels, and the air in front of it. */
interface Standing {
  readonly x: number;
  readonly baseY: number;
  readonly tall: number;
  readonly air: number;
}

/** A trunk, and from the bottom up the tiers of a conifer or the tufts of a broadleaf tree. */
export function paintTree(stage: Stage, kind: 'conifer' | 'broadleaf', place: Standing, random: Random): void {
  const { raster, light, scene } = stage;
  const { x, baseY, tall, air } = place;
  const leaf = pick(random, kind === 'conifer' ? NEEDLES : LEAVES[scene.season]);
  const own = isSnowy(stage) ? mixColours(leaf, [0.85, 0.88, 0.95], between(random, 0.25, 0.7)) : leaf;
  const shades = [0, 0.25, 0.5, 0.75].map((direct) => seenColour(light, own, direct * 0.9, air));
  const shadeOf = (bright: number) => shades[clamp(Math.floor(bright * 4), 0, 3)]!;
  const triangle = (half: number, from: number, to: number) =>
    [
      [x - half, baseY - from],
      [x, baseY - to],
      [x + half, baseY - from],
    ] as const;
  fillOutline(raster, triangle(tall * 0.02 + 0.3, 0, tall * 0.8), seenColour(light, [0.06, 0.045, 0.03], 0.2, air));
  const spread = tall * between(random, 0.16, 0.22);
  const parts = kind === 'conifer' ? clamp(Math.round(tall / 7), 3, 12) : clamp(Math.round(tall / 4), 6, 40);
  for (let part = 0; part < parts; part++) {
    const t = part / parts;
    if (kind === 'conifer') {
      const half = (spread * (1 - t) ** 0.8 + 0.5) * between(random, 0.85, 1.15);
      const [lit, dark] = [shadeOf(between(random, 0.45, 0.8)), shadeOf(between(random, 0, 0.4))];
      const fill = (px: number) => ((px - x) * light.side > 0 ? lit : dark);
      fillOutline(
        raster,
        triangle(half, tall * (0.06 + 0.94 * t), tall * Math.min(1, 0.06 + 0.94 * (t + 2 / parts))),
        fill,
      );
      continue;
    }
    const [angle, away] = [random() * 7, Math.sqrt(random()) * 0.3];
    const [dx, dy] = [Math.cos(angle) * away, Math.sin(angle) * away * 0.9];
    const bright = 0.4 + dx * light.side * 1.3 - dy * 1.2 + between(random, -0.15, 0.15);
    fillOutline(
      raster,
      circle(x + dx * tall, baseY + (dy - 0.62) * tall, tall * between(random, 0.07, 0.16)),
      shadeOf(bright),
    );
  }
}
