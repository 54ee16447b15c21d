import { clamp, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between } from '../../raster/random';
import { addHalo } from '../pen';
import { noiseFor, randomFor, type Stage } from '../stage';
import { sourcePosition } from './backdrop.layer';

/** The moon with its seas and its phase. By night it is the scene's light; by day it is a pale guest on the other side. */
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
  const lean = light.sourceX < 0.5 ? 0.4 : -0.4;
  for (
    let y = Math.max(0, Math.floor(centre.y - radius - 1));
    y < Math.min(raster.height, centre.y + radius + 1);
    y++
  ) {
    for (
      let x = Math.max(0, Math.floor(centre.x - radius - 1));
      x < Math.min(raster.width, centre.x + radius + 1);
      x++
    ) {
      const u = (x - centre.x) / radius;
      const v = (y - centre.y) / radius;
      const distance = Math.hypot(u, v);
      const inside = smoothstep(1 + 0.9 / radius, 1 - 0.9 / radius, distance);
      if (inside <= 0) continue;
      const turned = u * Math.cos(lean) - v * Math.sin(lean);
      const across = u * Math.sin(lean) + v * Math.cos(lean);
      const edge = -phase * Math.sqrt(Math.max(0, 1 - across * across));
      const sunlit = smoothstep(-0.07, 0.07, turned - edge);
      const seas = smoothstep(-0.1, 0.35, fractal(noise, u * 1.3 + 5, v * 1.3, 5));
      const surface = brightness * (1 - 0.34 * seas) * (1 - 0.25 * clamp(distance, 0, 1) ** 3);
      const alpha = inside * sunlit;
      const offset = (y * raster.width + x) * 3;
      for (let c = 0; c < 3; c++) {
        raster.data[offset + c] =
          raster.data[offset + c]! + (light.sourceColour[c]! * surface - raster.data[offset + c]!) * alpha;
      }
    }
  }
}
