import { type Colour } from '../raster/colour';
import { type Light } from '../scene/light';

/**
 * The visible colour of a surface: its own colour under the sky's light and `direct` (0 to 1) of the source's, behind
 * `air` (0 to 1).
 */
export function seenColour(light: Light, albedo: Colour, direct: number, air: number): Colour {
  return [
    seenChannel(light, albedo, direct, air, 0),
    seenChannel(light, albedo, direct, air, 1),
    seenChannel(light, albedo, direct, air, 2),
  ];
}

function seenChannel(light: Light, albedo: Colour, direct: number, air: number, c: 0 | 1 | 2): number {
  const own = albedo[c] * (light.ambient[c] + light.key[c] * direct);
  return own + (light.haze[c] - own) * air;
}
