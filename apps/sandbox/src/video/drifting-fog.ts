import { clamp, smoothstep } from '../raster/curve';
import { type CoarseField, createCoarseField, fieldAt } from '../raster/coarse-field';
import { createNoise, fractal } from '../raster/noise';
import { type Random } from '../raster/random';
import { type Overlay } from './precipitation';
import { type Plane, type YuvFrame } from './yuv-frame';

const MIST = 200;
const FADE_IN_SECONDS = 1.6;
const COARSENESS = 8;

/** Two layers of fog that drift across each other, so that the fog banks change their shape. */
export function driftingFog(random: Random, amount: number): Overlay {
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const wind = random() < 0.5 ? -1 : 1;
  return (frame, seconds) => {
    const { width, height } = frame.y;
    const unit = Math.sqrt(width * height);
    const presence = smoothstep(0, FADE_IN_SECONDS, seconds) * Math.min(1, 0.85 * amount);
    const field = createCoarseField(width, height, COARSENESS, (x, y) => {
      const away = (y / height - 0.66) / 0.42;
      const band = Math.exp(-away * away * 1.4);
      const [u, v] = [x / unit, y / unit];
      const far = fractal(noise, u * 1.7 - wind * seconds * 0.09, v * 4.2 + seconds * 0.03, 3);
      const near = fractal(noise, u * 1.1 - wind * seconds * 0.21 + 31, v * 2.6 + 17, 3);
      return clamp(presence * band * smoothstep(-0.6, 0.6, far + near), 0, 0.92);
    });
    blend(frame, field);
  };
}

/** Fog is as smooth as chroma is coarse: four luma pixels and one chroma pixel share an amount. */
function blend({ y: light, u, v }: YuvFrame, field: CoarseField): void {
  for (let y = 0; y < u.height; y++) {
    for (let x = 0; x < u.width; x++) {
      const amount = fieldAt(field, 2 * x + 1, 2 * y + 1);
      const at = 2 * (y * light.width + x);
      blendAt(light, at, MIST, amount);
      blendAt(light, at + 1, MIST, amount);
      blendAt(light, at + light.width, MIST, amount);
      blendAt(light, at + light.width + 1, MIST, amount);
      blendAt(u, y * u.width + x, 129, amount);
      blendAt(v, y * u.width + x, 127, amount);
    }
  }
}

function blendAt({ data }: Plane, at: number, value: number, amount: number): void {
  data[at] = data[at]! + (value - data[at]!) * amount + 0.5;
}
