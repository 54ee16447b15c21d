import { visitAround } from '../../raster/around';
import { fromHex } from '../../raster/colour';
import { between, type Random } from '../../raster/random';
import { blendAt, type Raster } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { smoothstep } from '../../raster/curve';
import { randomFor, type Stage } from '../stage';

const DROP = fromHex('#dfe8f2');
const FLAKE = fromHex('#ffffff');

export function paintRain(stage: Stage): void {
  if (stage.scene.weather.rain > 0)
    layRain(stage.raster, randomFor(stage, 'rain'), stage.scene.weather.rain, stage.light.night ? 0.14 : 0.3);
}

export function paintSnowfall(stage: Stage): void {
  if (stage.scene.weather.snow > 0)
    laySnow(stage.raster, randomFor(stage, 'snowfall'), stage.scene.weather.snow, stage.light.night ? 0.55 : 0.95);
}

/** Slanting streaks in three depths: many thin ones far off, few long ones near. */
export function layRain(raster: Raster, random: Random, amount: number, strength: number): void {
  const unit = Math.sqrt(raster.width * raster.height);
  const slant = between(random, -0.28, 0.28);
  const count = Math.round(1100 * amount);
  for (let i = 0; i < count; i++) {
    const near = random() ** 2.2;
    const length = unit * (0.018 + 0.075 * near);
    const width = unit * (0.0006 + 0.0011 * near);
    const x = between(random, -0.1, 1.1) * raster.width;
    const y = between(random, -0.1, 1) * raster.height;
    const outline = [
      [x, y],
      [x + width, y],
      [x + width + slant * length, y + length],
      [x + slant * length, y + length],
    ] as const;
    fillOutline(raster, outline, DROP, strength * between(random, 0.4, 1) * (1 - near * 0.4));
  }
}

/** Flakes in every depth; the nearest are large and out of focus. */
export function laySnow(raster: Raster, random: Random, amount: number, strength: number): void {
  const unit = Math.sqrt(raster.width * raster.height);
  const count = Math.round(1500 * amount);
  for (let i = 0; i < count; i++) {
    const near = random() ** 5;
    const radius = unit * (0.0011 + 0.011 * near);
    const opacity = strength * (0.85 - 0.62 * near) * between(random, 0.5, 1);
    layFlake(raster, random() * raster.width, random() * raster.height, radius, opacity, 0.35 + near * 0.6);
  }
}

function layFlake(raster: Raster, cx: number, cy: number, radius: number, opacity: number, softness: number): void {
  visitAround(raster, cx, cy, radius + 1, (offset, dx, dy) => {
    const inside = smoothstep(radius + 0.6, radius * (1 - softness) - 0.6, Math.hypot(dx, dy));
    if (inside > 0) blendAt(raster.data, offset, FLAKE, inside * opacity);
  });
}
