import { fromHex } from '../../raster/colour';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { seenColour } from '../seen-colour';
import { noiseFor, type Stage, WATER } from '../stage';

const FOAM = fromHex('#f2f6f7');

/**
 * Breakers, their foam, and the wet sand behind them. `shoreAt` is the distance of the shoreline from the viewer, `eye`
 * the viewer's height.
 */
export function paintSurf(stage: Stage, shoreAt: (x: number) => number, eye: number): void {
  const { raster, foot, light, horizonY, unit, scene } = stage;
  const { width, height, data } = raster;
  const noise = noiseFor(stage, 'surf');
  const focal = unit * 1.05;
  const foam = seenColour(light, FOAM, 0.7, 0.1);
  for (let y = Math.ceil(horizonY + unit * 0.05); y < height; y++) {
    const z = (eye * focal) / (y - horizonY);
    for (let x = 0; x < width; x++) {
      const worldX = ((x - width / 2) * z) / focal;
      const out = z - shoreAt(worldX) + noise(worldX * 1.7, z * 1.2) * 0.05 + noise(worldX * 6, z * 5) * 0.012;
      const isGround = foot[y * width + x] === WATER || Math.abs(foot[y * width + x]! - y) < unit * 0.06;
      if (out < -0.34 || out > 1.3 || !isGround) continue;
      const lace = fractal(noise, worldX * 15, z * 22, 3);
      const offset = (y * width + x) * 3;
      const wet = smoothstep(-0.3, -0.03, out) * smoothstep(0.03, -0.01, out);
      const white = breakers(out, lace) * (0.55 + 0.45 * scene.weather.wind);
      for (let c = 0; c < 3; c++) {
        const damp = mix(data[offset + c]!, data[offset + c]! * 0.5 + light.haze[c]! * 0.22, wet);
        data[offset + c] = mix(damp, foam[c]!, clamp(white, 0, 0.95));
      }
    }
  }
}

/** A bright line at the shore, and lines of foam farther out that break up. */
function breakers(out: number, lace: number): number {
  const hem =
    Math.exp(-((out / 0.022) ** 2)) * 1.1 +
    smoothstep(0, 0.03, out) * smoothstep(0.16, 0.03, out) * smoothstep(-0.1, 0.4, lace) * 0.8;
  const second = Math.exp(-(((out - 0.36) / 0.03) ** 2)) * smoothstep(-0.25, 0.2, lace);
  const third = Math.exp(-(((out - 0.85) / 0.035) ** 2)) * smoothstep(-0.05, 0.3, lace) * 0.8;
  return hem + second + third;
}
