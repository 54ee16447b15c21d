import { clamp, smoothstep } from '../raster/curve';
import { createCoarseField, fieldAt } from '../raster/coarse-field';
import { createNoise, fractal } from '../raster/noise';
import { type Random } from '../raster/random';
import { type Overlay } from './precipitation';
import { type Plane, type YuvFrame } from './yuv-frame';

const MIST = 200;
const FADE_IN_SECONDS = 1.6;
const COARSENESS = 8;

/** Two layers of fog that drift past each other, so that the banks change their shape on their way. */
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
    blend(frame, (x, y) => fieldAt(field, x, y));
  };
}

function blend({ y: light, u, v }: YuvFrame, amountAt: (x: number, y: number) => number): void {
  blendPlane(light, MIST, (x, y) => amountAt(x, y));
  blendPlane(u, 129, (x, y) => amountAt(x * 2, y * 2));
  blendPlane(v, 127, (x, y) => amountAt(x * 2, y * 2));
}

function blendPlane({ width, height, data }: Plane, value: number, amountAt: (x: number, y: number) => number): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      data[at] = data[at]! + (value - data[at]!) * amountAt(x, y) + 0.5;
    }
  }
}
