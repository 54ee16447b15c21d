import { visitAround } from '../raster/around';
import { type Colour, fromHex } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { fillOutline } from '../raster/fill-outline';
import { fractal, type Noise } from '../raster/noise';
import { between, type Random } from '../raster/random';
import { blendAt, type Raster } from '../raster/raster';
import { type Stage } from './stage';

const DROP = fromHex('#dfe8f2');
const FLAKE = fromHex('#ffffff');

export function paintWeather(stage: Stage): void {
  const { raster, scene, light, horizonY } = stage;
  const { fog, rain, snow } = scene.weather;
  if (fog > 0) layFog(raster, stage.noise('fog'), light.haze, fog * 0.85, horizonY * 1.06);
  if (rain > 0) layRain(raster, stage.random('rain'), rain, light.dark ? 0.14 : 0.3);
  if (snow > 0) laySnow(raster, stage.random('snowfall'), snow, light.dark ? 0.55 : 0.95);
}

/** Drifting fog, dense in the row `centreY` and thinner above and below. */
export function layFog(
  { width, height, data }: Raster,
  noise: Noise,
  colour: Colour,
  density: number,
  centreY: number,
): void {
  const unit = Math.sqrt(width * height);
  for (let y = 0; y < height; y++) {
    const band = Math.exp(-(((y - centreY) / (height * 0.44)) ** 2) * 1.6) * density;
    for (let x = 0; x < width; x++) {
      const drift = fractal(noise, (x / unit) * 2.2, (y / unit) * 7, 4);
      const amount = clamp(band * smoothstep(-0.75, 0.55, drift), 0, 0.97);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = mix(data[offset + c]!, colour[c]!, amount);
    }
  }
}

/** Slanting streaks in every depth: many thin ones far off, few long ones near. */
export function layRain(raster: Raster, random: Random, amount: number, strength: number): void {
  const unit = Math.sqrt(raster.width * raster.height);
  const slant = between(random, -0.28, 0.28);
  for (let i = Math.round(1100 * amount); i > 0; i--) {
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
  for (let i = Math.round(1500 * amount); i > 0; i--) {
    const near = random() ** 5;
    const radius = unit * (0.0011 + 0.011 * near);
    const sharp = radius * (0.65 - near * 0.6) - 0.6;
    const opacity = strength * (0.85 - 0.62 * near) * between(random, 0.5, 1);
    visitAround(raster, random() * raster.width, random() * raster.height, radius + 1, (offset, dx, dy) => {
      const inside = smoothstep(radius + 0.6, sharp, Math.hypot(dx, dy));
      if (inside > 0) blendAt(raster.data, offset, FLAKE, inside * opacity);
    });
  }
}
