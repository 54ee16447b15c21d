import { type Colour, mixColours } from '../../raster/colour';
import { clamp, mix } from '../../raster/curve';
import { blendAt, type Raster } from '../../raster/raster';
import { shadeInto, type StudioLight } from './studio-light';

/** A lathe-turned body: its half width at each height, both as shares of its full height. */
export interface Turned {
  readonly x: number;
  readonly baseY: number;
  readonly height: number;
  /** From foot (0) to rim (1). */
  readonly profile: readonly number[];
  readonly albedo: Colour;
  readonly gloss: number;
  /** Whether its inside is visible from above. */
  readonly open: boolean;
  /** 1 is solid; glass lets what is behind shine through. */
  readonly opacity?: number;
}

/** How far the view is from above: a circle appears as an ellipse this flat. */
const FLATNESS = 0.2;

export function paintTurned(raster: Raster, light: StudioLight, body: Turned): void {
  const { width, height, data } = raster;
  const widest = Math.max(...body.profile) * body.height;
  const colour = new Float32Array(3);
  const top = body.baseY - body.height;
  for (
    let y = Math.max(0, Math.floor(top - widest * FLATNESS));
    y < Math.min(height, body.baseY + widest * FLATNESS);
    y++
  ) {
    for (let x = Math.max(0, Math.floor(body.x - widest - 1)); x < Math.min(width, body.x + widest + 1); x++) {
      const across = x + 0.5 - body.x;
      // A ring of the body bends towards the viewer in its middle, so each column finds its own height.
      const guess = radiusAt(body, (body.baseY - y) / body.height);
      const bulge = Math.sqrt(Math.max(0, 1 - (across / Math.max(guess, 1)) ** 2));
      const t = (body.baseY - (y - bulge * guess * FLATNESS)) / body.height;
      if (t < 0 || t > 1) continue;
      const radius = radiusAt(body, t);
      const alpha = clamp(radius - Math.abs(across) + 0.5, 0, 1) * (body.opacity ?? 1);
      if (alpha <= 0) continue;
      const n = clamp(across / radius, -1, 1);
      const slope = (radiusAt(body, t + 0.01) - radiusAt(body, t - 0.01)) / (0.02 * body.height);
      const size = Math.hypot(1, slope);
      shadeInto(light, body.albedo, [n / size, -slope / size, Math.sqrt(1 - n * n) / size], body.gloss, colour);
      blendAt(data, (y * width + x) * 3, [colour[0]!, colour[1]!, colour[2]!], alpha);
    }
  }
  if (body.open) paintMouth(raster, light, body);
}

/** The dark inside and the bright rim. */
function paintMouth({ width, height, data }: Raster, light: StudioLight, body: Turned): void {
  const radius = radiusAt(body, 1);
  const y0 = body.baseY - body.height;
  const inner = mixColours(body.albedo, [0.005, 0.004, 0.004], 0.75);
  const colour = new Float32Array(3);
  for (
    let y = Math.max(0, Math.floor(y0 - radius * FLATNESS - 1));
    y < Math.min(height, y0 + radius * FLATNESS + 2);
    y++
  ) {
    for (let x = Math.max(0, Math.floor(body.x - radius - 1)); x < Math.min(width, body.x + radius + 1); x++) {
      const u = (x + 0.5 - body.x) / radius;
      const v = (y + 0.5 - y0) / (radius * FLATNESS);
      const distance = Math.hypot(u, v);
      const alpha = clamp((1 - distance) * radius * FLATNESS + 0.5, 0, 1) * (body.opacity ?? 1);
      if (alpha <= 0) continue;
      const rim = clamp((distance - 0.86) * 9, 0, 1);
      shadeInto(
        light,
        [mix(inner[0], body.albedo[0], rim), mix(inner[1], body.albedo[1], rim), mix(inner[2], body.albedo[2], rim)],
        [-u * 0.6, -0.3 - rim * 0.4, 0.5],
        0,
        colour,
      );
      blendAt(data, (y * width + x) * 3, [colour[0]!, colour[1]!, colour[2]!], alpha);
    }
  }
}

/** In pixels; between the given points the outline is a smooth curve. */
function radiusAt({ profile, height }: Turned, t: number): number {
  const place = clamp(t, 0, 1) * (profile.length - 1);
  const i = Math.min(Math.floor(place), profile.length - 2);
  const f = place - i;
  const [a, b, c, d] = [
    profile[Math.max(i - 1, 0)]!,
    profile[i]!,
    profile[i + 1]!,
    profile[Math.min(i + 2, profile.length - 1)]!,
  ];
  const curve = 0.5 * (2 * b + (c - a) * f + (2 * a - 5 * b + 4 * c - d) * f * f + (3 * b - a - 3 * c + d) * f * f * f);
  return Math.max(0, curve) * height;
}
