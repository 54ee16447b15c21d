import { createCoarseField, fieldAt } from '../raster/coarse-field';
import { clamp, mix, smoothstep } from '../raster/curve';
import { createNoise, fractal } from '../raster/noise';
import { between, type Random } from '../raster/random';
import { type Plane, type YuvFrame } from './yuv-frame';

/** Draws something over a frame, as it is `seconds` into the video. */
export type Overlay = (frame: YuvFrame, seconds: number) => void;

/** The first frame is the unchanged start frame; weather fades in after it. */
const FADE_IN_SECONDS = 0.9;
/** How long the shutter is open: fast objects appear as streaks. */
const EXPOSURE_SECONDS = 0.035;

/** What falls: how much of it, how fast far off and near (in heights a second), its radius, and its lightness. */
interface Fall {
  readonly count: number;
  readonly speed: readonly [far: number, near: number];
  readonly radius: readonly [far: number, near: number];
  readonly sway: number;
  readonly slant: number;
  readonly lightness: number;
  readonly opacity: number;
}

export function snowfall(random: Random, amount: number): Overlay {
  const slant = between(random, -0.2, 0.2);
  const flakes = { speed: [0.07, 0.33], radius: [0.0013, 0.0098], sway: 0.01, lightness: 238, opacity: 0.75 } as const;
  return falling(random, { count: 520 * amount, slant, ...flakes });
}

export function rainfall(random: Random, amount: number): Overlay {
  const slant = between(random, -0.2, 0.2);
  const drops = { speed: [1.3, 2.8], radius: [0.0004, 0.001], sway: 0, lightness: 205, opacity: 0.4 } as const;
  return falling(random, { count: 760 * amount, slant, ...drops });
}

/** Things at every depth; the nearest are large and fast. */
function falling(random: Random, { count, speed, radius, sway, slant, lightness, opacity }: Fall): Overlay {
  const things = Array.from({ length: Math.round(count) }, () => {
    const near = random() ** 2.8;
    const pace = mix(...speed, near) * between(random, 0.8, 1.2);
    return { x: random(), y: random(), near, pace, phase: random(), alpha: opacity * between(random, 0.5, 1) };
  });
  return (frame, seconds) => {
    const { width, height } = frame.y;
    const presence = smoothstep(0, FADE_IN_SECONDS, seconds);
    for (const { x, y, near, pace, phase, alpha } of things) {
      const swayed = sway * Math.sin(2 * Math.PI * (phase + seconds * (0.25 + 0.3 * phase)));
      const fallen = seconds * pace;
      const headX = wrapped(x + swayed + (slant * fallen * height) / width) * width;
      const size = mix(...radius, near) * Math.sqrt(width * height);
      const streak = { headX, headY: wrapped(y + fallen) * height, length: pace * height * EXPOSURE_SECONDS, slant };
      layStreak(frame, { ...streak, radius: size, lightness, alpha: alpha * presence });
    }
  };
}

/** Wraps a position from slightly below the frame to slightly above it. */
function wrapped(place: number): number {
  const span = 1.2;
  return ((((place + 0.1) % span) + span) % span) - 0.1;
}

interface Streak {
  readonly headX: number;
  readonly headY: number;
  readonly length: number;
  readonly slant: number;
  readonly radius: number;
  readonly lightness: number;
  readonly alpha: number;
}

function layStreak({ y: light, u, v }: YuvFrame, streak: Streak): void {
  const { headX, headY, length, slant, radius, lightness, alpha } = streak;
  const reach = radius + 1;
  const top = Math.max(0, Math.floor(headY - length - reach));
  for (let y = top; y < light.height && y <= headY + reach; y++) {
    const along = clamp(headY - y, 0, length);
    const centre = headX - along * slant;
    for (let x = Math.max(0, Math.floor(centre - reach)); x < light.width && x <= centre + reach; x++) {
      const away = Math.hypot(x - centre, y - (headY - along));
      const amount = alpha * smoothstep(reach, Math.max(0, radius * 0.45 - 0.6), away);
      blendAt(light, y * light.width + x, lightness, amount);
      if (((x | y) & 1) !== 0) continue;
      const at = (y >> 1) * u.width + (x >> 1);
      blendAt(u, at, 128, amount);
      blendAt(v, at, 128, amount);
    }
  }
}

/** Two layers of fog that drift across each other, so that the fog banks change their shape. */
export function driftingFog(random: Random, amount: number): Overlay {
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const wind = random() < 0.5 ? -1 : 1;
  return ({ y: light, u: chroma, v: other }, seconds) => {
    const { width, height } = light;
    const unit = Math.sqrt(width * height);
    const presence = smoothstep(0, 2 * FADE_IN_SECONDS, seconds) * Math.min(1, 0.85 * amount);
    const field = createCoarseField(width, height, 8, (x, y) => {
      const band = Math.exp(-(((y / height - 0.66) / 0.42) ** 2) * 1.4);
      const [u, v] = [x / unit, y / unit];
      const far = fractal(noise, u * 1.7 - wind * seconds * 0.09, v * 4.2 + seconds * 0.03, 3);
      const near = fractal(noise, u * 1.1 - wind * seconds * 0.21 + 31, v * 2.6 + 17, 3);
      return clamp(presence * band * smoothstep(-0.6, 0.6, far + near), 0, 0.92);
    });
    // Fog is as smooth as chroma is coarse: four luma pixels and one chroma pixel share an amount.
    for (let at = 0; at < chroma.data.length; at++) {
      const [x, y] = [(at % chroma.width) * 2, Math.floor(at / chroma.width) * 2];
      const share = fieldAt(field, x + 1, y + 1);
      const first = y * width + x;
      for (const pixel of [first, first + 1, first + width, first + width + 1]) blendAt(light, pixel, 200, share);
      blendAt(chroma, at, 129, share);
      blendAt(other, at, 127, share);
    }
  };
}

function blendAt({ data }: Plane, at: number, value: number, amount: number): void {
  data[at] = data[at]! + (value - data[at]!) * amount + 0.5;
}
