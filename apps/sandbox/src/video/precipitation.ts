import { clamp, smoothstep } from '../raster/curve';
import { between, type Random } from '../raster/random';
import { type YuvFrame } from './yuv-frame';

/** Draws something over a frame, as it is `seconds` into the video. */
export type Overlay = (frame: YuvFrame, seconds: number) => void;

const SNOW_WHITE = 238;
const RAIN_GREY = 205;
/** The first frame is the unchanged start frame; precipitation fades in after it. */
const FADE_IN_SECONDS = 0.9;
/** How long the shutter is open: fast objects appear as streaks. */
const EXPOSURE_SECONDS = 0.035;

interface Flake {
  readonly x: number;
  readonly y: number;
  readonly near: number;
  readonly speed: number;
  readonly sway: number;
  readonly phase: number;
  readonly opacity: number;
}

/** Flakes at every depth, each swaying on its own path; the nearest are large, fast and out of focus. */
export function snowfall(random: Random, amount: number): Overlay {
  const wind = between(random, -0.05, 0.05);
  const flakes: Flake[] = Array.from({ length: Math.round(520 * amount) }, () => {
    const near = random() ** 3.2;
    return {
      x: random(),
      y: random(),
      near,
      speed: (0.07 + 0.26 * near) * between(random, 0.8, 1.2),
      sway: between(random, 0.004, 0.014) * (0.6 + near),
      phase: random(),
      opacity: (0.9 - 0.5 * near) * between(random, 0.5, 1),
    };
  });
  return (frame, seconds) => {
    const { width, height } = frame.y;
    const unit = Math.sqrt(width * height);
    const presence = smoothstep(0, FADE_IN_SECONDS, seconds);
    for (const { x, y, near, speed, sway, phase, opacity } of flakes) {
      const swayed = sway * Math.sin(2 * Math.PI * (phase + seconds * (0.25 + 0.3 * phase)));
      const radius = unit * (0.0013 + 0.0085 * near);
      const cx = wrapped(x + seconds * wind * (0.4 + near) + swayed) * width;
      const cy = wrapped(y + seconds * speed) * height;
      laySpot(frame, cx, cy, radius, opacity * presence);
    }
  };
}

interface Drop {
  readonly x: number;
  readonly y: number;
  readonly near: number;
  readonly speed: number;
  readonly opacity: number;
}

/** Slanting streaks, each as long as a drop falls while the shutter is open. */
export function rainfall(random: Random, amount: number): Overlay {
  const slant = between(random, -0.2, 0.2);
  const drops: Drop[] = Array.from({ length: Math.round(760 * amount) }, () => {
    const near = random() ** 2;
    return {
      x: random(),
      y: random(),
      near,
      speed: (1.3 + 1.5 * near) * between(random, 0.9, 1.1),
      opacity: (0.26 + 0.26 * near) * between(random, 0.5, 1),
    };
  });
  return (frame, seconds) => {
    const { width, height } = frame.y;
    const presence = smoothstep(0, FADE_IN_SECONDS, seconds);
    for (const { x, y, near, speed, opacity } of drops) {
      const fallen = y + seconds * speed;
      const length = speed * height * EXPOSURE_SECONDS;
      const headY = wrapped(fallen) * height;
      const headX = wrapped(x + Math.floor((fallen + 0.1) / 1.2) * 0.37) * width + headY * slant;
      layStreak(frame, { headX, headY, length, slant, thickness: 0.6 + 0.9 * near }, opacity * presence);
    }
  };
}

/** Wraps a position from slightly below the frame to slightly above it. */
function wrapped(place: number): number {
  const span = 1.2;
  return ((((place + 0.1) % span) + span) % span) - 0.1;
}

function laySpot(frame: YuvFrame, cx: number, cy: number, radius: number, opacity: number): void {
  const { width, height, data } = frame.y;
  const reach = radius + 1;
  const top = Math.max(0, Math.ceil(cy - reach - 0.5));
  const left = Math.max(0, Math.ceil(cx - reach - 0.5));
  for (let y = top; y < height && y + 0.5 <= cy + reach; y++) {
    for (let x = left; x < width && x + 0.5 <= cx + reach; x++) {
      const away = Math.hypot(x + 0.5 - cx, y + 0.5 - cy);
      const alpha = opacity * smoothstep(reach, Math.max(0, radius * 0.45 - 0.6), away);
      const at = y * width + x;
      data[at] = data[at]! + (SNOW_WHITE - data[at]!) * alpha;
      if (((x | y) & 1) === 0) drainColour(frame, x, y, alpha);
    }
  }
}

interface Streak {
  readonly headX: number;
  readonly headY: number;
  readonly length: number;
  readonly slant: number;
  readonly thickness: number;
}

function layStreak(frame: YuvFrame, streak: Streak, opacity: number): void {
  const { width, height, data } = frame.y;
  const { headX, headY, length, slant, thickness } = streak;
  const top = Math.max(0, Math.ceil(headY - length - 0.5));
  for (let y = top; y < height && y + 0.5 <= headY; y++) {
    const along = (headY - (y + 0.5)) / length;
    // Thin at both ends, because moving objects have no sharp ends.
    const presence = opacity * 4 * along * (1 - along);
    const centre = headX - along * length * slant;
    const left = Math.max(0, Math.ceil(centre - thickness - 1));
    for (let x = left; x < width && x + 0.5 < centre + thickness + 0.5; x++) {
      const alpha = presence * clamp(thickness + 0.5 - Math.abs(x + 0.5 - centre), 0, 1);
      const at = y * width + x;
      data[at] = data[at]! + (RAIN_GREY - data[at]!) * alpha;
    }
  }
}

function drainColour({ u, v }: YuvFrame, x: number, y: number, alpha: number): void {
  const at = (y >> 1) * u.width + (x >> 1);
  u.data[at] = u.data[at]! + (128 - u.data[at]!) * alpha;
  v.data[at] = v.data[at]! + (128 - v.data[at]!) * alpha;
}
