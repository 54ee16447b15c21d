import { scaleColour } from '../../raster/colour';
import { clamp, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between } from '../../raster/random';
import { blendAt } from '../../raster/raster';
import { addHalo, visitAround } from '../../raster/around';
import { noiseFor, randomFor, type Stage } from '../stage';
import { sourcePosition } from './backdrop.layer';

/**
 * The moon with its maria and its phase. By night it is the scene's light source; by day it is pale and on the other
 * side.
 */
export function paintMoon(stage: Stage): void {
  const { raster, scene, light, unit, horizonY } = stage;
  if (!scene.moon) return;
  const random = randomFor(stage, 'moon');
  const radius = unit * between(random, 0.04, 0.062);
  const source = sourcePosition(stage);
  const dark = light.night || scene.time === 'dusk';
  const place = light.night ? source : { x: raster.width - source.x, y: horizonY * 0.24 };
  // -1 is a thin crescent, 1 is full.
  const phase = random() < 0.5 ? 1 : between(random, -0.55, 0.7);
  addHalo(raster, place.x, place.y, radius * 6.5, light.sourceColour, dark ? 0.16 : 0.03);
  paintDisc(stage, place, radius, phase, dark ? 1.5 : 0.9);
}

function paintDisc(
  stage: Stage,
  centre: { x: number; y: number },
  radius: number,
  phase: number,
  brightness: number,
): void {
  const { raster, light } = stage;
  const noise = noiseFor(stage, 'moon');
  const lean = -0.4 * light.side;
  visitAround(raster, centre.x, centre.y, radius + 1, (offset, dx, dy) => {
    const u = dx / radius;
    const v = dy / radius;
    const distance = Math.hypot(u, v);
    const inside = smoothstep(1 + 0.9 / radius, 1 - 0.9 / radius, distance);
    if (inside <= 0) return;
    const turned = u * Math.cos(lean) - v * Math.sin(lean);
    const across = u * Math.sin(lean) + v * Math.cos(lean);
    const terminator = -phase * Math.sqrt(Math.max(0, 1 - across * across));
    const sunlit = smoothstep(-0.07, 0.07, turned - terminator);
    const seas = smoothstep(-0.1, 0.35, fractal(noise, u * 1.3 + 5, v * 1.3, 5));
    const surface = brightness * (1 - 0.34 * seas) * (1 - 0.25 * clamp(distance, 0, 1) ** 3);
    blendAt(raster.data, offset, scaleColour(light.sourceColour, surface), inside * sunlit);
  });
}
