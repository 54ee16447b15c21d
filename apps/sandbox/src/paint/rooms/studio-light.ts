import { type Colour, fromHex, mixColours, scaleColour } from '../../raster/colour';
import { clamp } from '../../raster/curve';
import { type Raster } from '../../raster/raster';
import { type Stage } from '../stage';

/** The light of a room: from one window, with the light that the walls reflect. */
export interface StudioLight {
  /** -1 from the left, 1 from the right. */
  readonly side: number;
  readonly key: Colour;
  readonly ambient: Colour;
}

/** Daylight by the window's hour, lamplight if it is dark outside. */
export function studioLightOf({ light, scene }: Stage): StudioLight {
  const warm = mixColours(light.sourceColour, fromHex('#ffffff'), 0.45);
  const strength = light.dark ? 0.75 : scene.moods.includes('dark') ? 0.95 : 1.25;
  return {
    side: light.side,
    key: scaleColour(light.dark ? fromHex('#ffc98a') : warm, strength),
    ambient: scaleColour(fromHex('#cdd3de'), light.dark ? 0.12 : 0.3),
  };
}

/** The colour of a surface of colour `albedo` that faces (x, y, z): x right, y down, z to the viewer. */
export function shadeInto(
  light: StudioLight,
  albedo: Colour,
  normal: readonly [number, number, number],
  gloss: number,
  into: Float32Array,
): void {
  const [x, y, z] = normal;
  const facing = clamp((x * light.side * 0.72 - y * 0.48 + z * 0.5) * 0.92 + 0.06, 0, 1);
  // Light reflected by the table and the far wall brightens the shaded edge.
  const bounce = clamp(-x * light.side * 0.5 + y * 0.55, 0, 1) * 0.22;
  const mirror = clamp((x * light.side * 0.5 - y * 0.5 + z * 0.707) * 1.002, 0, 1);
  const flash = gloss * mirror ** 46;
  for (let c = 0; c < 3; c++)
    into[c] = albedo[c]! * (light.ambient[c]! * (0.62 + bounce) + light.key[c]! * facing) + light.key[c]! * flash;
}

/** A soft shadow on the table, extended on the side away from the light. */
export function castShadow(
  { width, height, data }: Raster,
  light: StudioLight,
  x: number,
  y: number,
  radius: number,
): void {
  const reachX = radius * 3.4;
  const reachY = radius * 0.75;
  const centreX = x - light.side * radius * 0.85;
  for (let py = Math.max(0, Math.floor(y - reachY)); py < Math.min(height, y + reachY); py++) {
    for (let px = Math.max(0, Math.floor(centreX - reachX)); px < Math.min(width, centreX + reachX); px++) {
      const u = (px - centreX) / (radius * 1.55);
      const v = (py - y) / (radius * 0.34);
      const contact = Math.exp(-(((px - x) / (radius * 0.85)) ** 2) - ((py - y) / (radius * 0.16)) ** 2);
      const dark = 1 - 0.55 * Math.exp(-u * u - v * v) - 0.4 * contact;
      const offset = (py * width + px) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = data[offset + c]! * Math.max(dark, 0.12);
    }
  }
}
