import { type Colour } from '../../raster/colour';
import { clamp } from '../../raster/curve';
import { between, type Random } from '../../raster/random';
import { blendAt, type Raster } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { lookAt, type PlantLook } from './plant-look';

/** Below this many pixels, single branches are not visible. */
const BRANCHES_FROM_PX = 70;

export function paintConifer(raster: Raster, look: PlantLook, random: Random): void {
  if (look.height < BRANCHES_FROM_PX) paintSmallConifer(raster, look, random);
  else paintBranchedConifer(raster, look, random);
}

function paintSmallConifer(raster: Raster, look: PlantLook, random: Random): void {
  const { width, height, data } = raster;
  const reach = look.height * (0.17 + random() * 0.07);
  const tiers = 4 + random() * 4;
  const top = look.baseY - look.height;
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, look.baseY); y++) {
    const t = clamp((y + 0.5 - top) / look.height, 0, 1);
    const tier = (t * tiers) % 1;
    const half = Math.max(0.35, reach * t * (0.68 + 0.5 * tier));
    for (let x = Math.max(0, Math.floor(look.x - half - 1)); x < Math.min(width, look.x + half + 1); x++) {
      const away = x + 0.5 - look.x;
      const alpha = clamp(half - Math.abs(away) + 0.5, 0, 1) * Math.min(1, half * 1.6);
      if (alpha <= 0) continue;
      const bright = clamp(0.45 + (0.5 * away * look.lightSide) / half - tier * 0.25, 0, 1);
      blendAt(data, (y * width + x) * 3, lookAt(look, bright), alpha);
    }
  }
}

/** Tier by tier from the bottom, each branch a drooping spray that covers the ones below. */
function paintBranchedConifer(raster: Raster, look: PlantLook, random: Random): void {
  const { x, baseY, height } = look;
  const trunk = height * 0.012 + 0.6;
  fillOutline(
    raster,
    [
      [x - trunk, baseY],
      [x - 0.3, baseY - height],
      [x + 0.3, baseY - height],
      [x + trunk, baseY],
    ],
    look.shaded,
  );
  const tiers = Math.round(clamp(height / 7, 14, 54));
  const spread = between(random, 0.17, 0.22);
  for (let tier = 0; tier < tiers; tier++) {
    const t = 1 - tier / tiers;
    const y = baseY - height * (0.04 + 0.95 * (1 - t));
    const length = height * spread * t ** 0.8;
    // Two branches to the sides, two towards the viewer: those are short and cover the middle.
    for (const aim of [-1, 1, between(random, -0.6, 0), between(random, 0, 0.6)]) {
      const reach = aim * length * between(random, 0.62, 1.12);
      const bright = clamp(0.42 + 0.3 * aim * look.lightSide + between(random, -0.24, 0.24), 0, 1);
      paintSpray(
        raster,
        x,
        y + between(random, -0.4, 0.4) * (height / tiers),
        reach,
        (height / tiers) * between(random, 0.7, 1.1),
        lookAt(look, bright),
        random,
      );
    }
  }
  fillOutline(
    raster,
    [
      [x - height * 0.009, baseY - height * 0.96],
      [x, baseY - height * 1.02],
      [x + height * 0.009, baseY - height * 0.96],
    ],
    lookAt(look, 0.5),
  );
}

/** A branch that bends down and rises again at its tip, with a fringe of twigs. */
function paintSpray(
  raster: Raster,
  x: number,
  y: number,
  reach: number,
  thickness: number,
  colour: Colour,
  random: Random,
): void {
  const sink = Math.abs(reach) * between(random, 0.3, 0.5);
  const rowAt = (s: number): number => y + sink * (1.5 * s - 0.62 * s ** 3);
  const fringe: [number, number][] = [];
  const twigs = Math.round(clamp(Math.abs(reach) / 5, 3, 9));
  for (let i = twigs; i > 0; i--) {
    const s = (i - 0.5) / twigs;
    fringe.push([x + reach * (s + 0.35 / twigs), rowAt(s) + thickness * 0.5]);
    fringe.push([x + reach * s, rowAt(s) + thickness * between(random, 1, 2.4) * (1.1 - s * 0.7)]);
  }
  fillOutline(
    raster,
    [[x, y - thickness * 0.7], [x + reach * 0.5, rowAt(0.5) - thickness * 0.4], [x + reach, rowAt(1)], ...fringe],
    colour,
  );
}
