import { visitAround } from '../../raster/around';
import { type Colour, fromHex, mixColours } from '../../raster/colour';
import { clamp, smoothstep } from '../../raster/curve';
import { fractal, type Noise } from '../../raster/noise';
import { blendAt, type Raster } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { ribbon } from '../../raster/shape';
import { shadeInto, type StudioLight } from './studio-light';

export type FruitKind = 'apple' | 'orange' | 'lemon' | 'pear' | 'plum';

interface FruitLook {
  readonly skin: Colour;
  readonly blush: Colour;
  readonly gloss: number;
  /** The distance of the outline from the middle, by the angle from straight up (0) to straight down (π). */
  readonly outline: (angle: number) => number;
  readonly stem: boolean;
}

const FRUITS: Readonly<Record<FruitKind, FruitLook>> = {
  apple: {
    skin: fromHex('#c23a2e'),
    blush: fromHex('#d9b24a'),
    gloss: 0.5,
    outline: (a) => 1 - 0.16 * Math.exp(-((a / 0.38) ** 2)) - 0.06 * Math.exp(-(((Math.PI - a) / 0.5) ** 2)),
    stem: true,
  },
  orange: { skin: fromHex('#e08a2c'), blush: fromHex('#e8a040'), gloss: 0.35, outline: () => 1, stem: false },
  lemon: {
    skin: fromHex('#e6c22e'),
    blush: fromHex('#d8cf5a'),
    gloss: 0.4,
    outline: (a) => 0.86 + 0.3 * Math.exp(-(((a - Math.PI / 2) / 0.16) ** 2)) + 0.1 * Math.sin(a) ** 2,
    stem: false,
  },
  pear: {
    skin: fromHex('#b9b04a'),
    blush: fromHex('#c9803a'),
    gloss: 0.3,
    outline: (a) => 0.96 + 0.52 * Math.exp(-((a / 0.62) ** 2)) - 0.1 * Math.exp(-(((a - 0.95) / 0.4) ** 2)),
    stem: true,
  },
  plum: { skin: fromHex('#4a2f5c'), blush: fromHex('#7a4a6a'), gloss: 0.45, outline: () => 0.96, stem: true },
};
const STEM = fromHex('#4a3320');

/** A fruit on the table: (x, baseY) is where it touches the table. */
export function paintFruit(
  raster: Raster,
  light: StudioLight,
  noise: Noise,
  kind: FruitKind,
  x: number,
  baseY: number,
  radius: number,
): void {
  const look = FRUITS[kind];
  const cy = baseY - radius * 0.93;
  const colour = new Float32Array(3);
  visitAround(raster, x, cy, radius * 1.6, (offset, dx, dy) => {
    const u = dx / radius;
    const v = dy / radius;
    const edge = look.outline(Math.acos(clamp(-v / (Math.hypot(u, v) || 1), -1, 1)));
    const distance = Math.hypot(u, v) / edge;
    const alpha = clamp((1 - distance) * radius * edge + 0.5, 0, 1);
    if (alpha <= 0) return;
    const depth = Math.sqrt(Math.max(0, 1 - distance * distance));
    const patch = fractal(noise, u * 1.6 + x * 0.01, v * 1.6, 4) * 0.9;
    const streak = fractal(noise, u * 9, v * 3 + depth * 4, 2) * 0.3;
    const skin = mixColours(look.skin, look.blush, smoothstep(-0.15, 0.65, patch + streak));
    shadeInto(light, skin, [(u / edge) * 0.98, (v / edge) * 0.98, depth], look.gloss, colour);
    blendAt(raster.data, offset, [colour[0]!, colour[1]!, colour[2]!], alpha);
  });
  if (!look.stem) return;
  const top = cy - radius * (look.outline(0) - 0.04);
  fillOutline(
    raster,
    ribbon(
      [
        [x, top + radius * 0.06],
        [x + radius * 0.03, top - radius * 0.14],
        [x + radius * 0.12, top - radius * 0.26],
      ],
      (t) => radius * (0.05 + 0.035 * t),
    ),
    STEM,
  );
}
