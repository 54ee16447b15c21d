import { type Colour, fromHex, fromLab, mixColours, scaleColour, toLab } from '../raster/colour';
import { clamp, mix } from '../raster/curve';
import { createGradient, type Gradient, gradientColour } from '../raster/gradient';
import { between, createRandom, hashText } from '../raster/random';
import { type Scene, type TimeOfDay, type Weather } from './scene';

/** The light source of a scene and its effect on air, sky and surfaces. */
export interface Light {
  /** From the zenith (0) to the horizon (1). */
  readonly sky: Gradient;
  /** The position of the sun or the moon: as a share of the width, and above the horizon as a share of the sky. */
  readonly sourceX: number;
  readonly sourceElevation: number;
  /** -1 when the source is on the left, 1 when it is on the right. */
  readonly side: -1 | 1;
  readonly sourceColour: Colour;
  /** The direct light of the source on surfaces, and the ambient light of the sky. */
  readonly key: Colour;
  readonly ambient: Colour;
  readonly haze: Colour;
  /** The distance at which haze replaces about two thirds of a surface's own colour. */
  readonly visibility: number;
  /** Whether lamps are lit. */
  readonly dark: boolean;
  /** The share of the sky's own colour that grey clouds hide. */
  readonly overcast: number;
}

interface Hour {
  readonly sky: readonly string[];
  readonly elevation: readonly [number, number];
  readonly source: string;
  readonly key: number;
  readonly ambient: number;
  readonly visibility: number;
}

const HOURS: Readonly<Record<TimeOfDay, Hour>> = {
  dawn: {
    sky: ['#3a4f86', '#7b7fb4', '#d9a2b4', '#f6c9a5', '#ffe6c0'],
    elevation: [0.12, 0.26],
    source: '#ffd3a0',
    key: 1.5,
    ambient: 0.62,
    visibility: 60,
  },
  day: {
    sky: ['#1d5fae', '#3f8bd0', '#86bfe6', '#cfe6f2'],
    elevation: [0.62, 0.82],
    source: '#fff4dc',
    key: 1.9,
    ambient: 0.55,
    visibility: 70,
  },
  golden: {
    sky: ['#3d6ea6', '#7ba3c4', '#d8cdb0', '#ffd993', '#ffeab8'],
    elevation: [0.24, 0.38],
    source: '#ffcf80',
    key: 2.1,
    ambient: 0.5,
    visibility: 44,
  },
  sunset: {
    sky: ['#1c2754', '#553b7c', '#b84e7c', '#f4795a', '#ffbe6b'],
    elevation: [0.14, 0.26],
    source: '#ffb060',
    key: 1.7,
    ambient: 0.42,
    visibility: 38,
  },
  dusk: {
    sky: ['#0d1638', '#22316a', '#565796', '#b07fa6', '#f0b39a'],
    elevation: [0.1, 0.3],
    source: '#e8d6d8',
    key: 0.42,
    ambient: 0.34,
    visibility: 38,
  },
  night: {
    sky: ['#050a1e', '#0a1735', '#142a52', '#27456f'],
    elevation: [0.5, 0.78],
    source: '#dfe8ff',
    key: 0.5,
    ambient: 0.22,
    visibility: 24,
  },
};
const OVERCAST = ['#5f6b7a', '#858f9a', '#adb4b9', '#cdd1d0'].map(fromHex);

export function lightOf({ seed, time, weather }: Scene): Light {
  const random = createRandom(seed ^ hashText('light'));
  const hour = HOURS[time];
  const overcast = overcastOf(weather);
  const turn = between(random, -0.012, 0.012);
  const sky = createGradient(
    hour.sky.map((stop, i) => coveredStop(fromHex(stop), i / (hour.sky.length - 1), overcast, turn)),
  );
  const source = fromHex(hour.source);
  const side = random() < 0.5 ? -1 : 1;
  const [, a, b] = toLab(gradientColour(sky, 0.4));
  const brightness = 0.75 + toLab(gradientColour(sky, 1))[0] * 0.6;
  return {
    sky,
    sourceX: 0.5 + side * between(random, 0.08, 0.28),
    sourceElevation: between(random, ...hour.elevation),
    side,
    sourceColour: source,
    key: scaleColour(source, hour.key * (1 - 0.75 * overcast)),
    // It has the sky's tint, but is never as saturated as the sky itself.
    ambient: scaleColour(fromLab([0.82, a * 0.7, b * 0.7]), hour.ambient * mix(1, 1.25, overcast) * brightness),
    haze: mixColours(gradientColour(sky, 0.97), gradientColour(sky, 0.5), 0.62),
    visibility: hour.visibility * (1 - 0.55 * weather.rain) * (1 - 0.6 * weather.snow) * (1 - 0.8 * weather.fog),
    dark: time === 'night' || time === 'dusk',
    overcast,
  };
}

/** The share of the surface's own colour that haze replaces at a distance. */
export function airAt({ visibility }: Light, distance: number): number {
  return 1 - Math.exp(-Math.max(0, distance) / visibility);
}

/** The visible colour of a surface under the sky's light and `direct` (0 to 1) of the source's, behind `air` (0 to 1). */
export function seenColour({ ambient, key, haze }: Light, albedo: Colour, direct: number, air: number): Colour {
  const seen = (c: 0 | 1 | 2): number => mix(albedo[c] * (ambient[c] + key[c] * direct), haze[c], air);
  return [seen(0), seen(1), seen(2)];
}

function overcastOf({ clouds, rain, snow, fog }: Weather): number {
  return clamp(Math.max(clouds - 0.6, 0) * 2.2 + 0.5 * rain + 0.4 * snow + 0.35 * fog, 0, 1);
}

/** The brightness and some of the colour of the hour remain, so that a grey night is still a night. */
function coveredStop(stop: Colour, place: number, cover: number, turn: number): Colour {
  const grey = toLab(OVERCAST[Math.round(place * (OVERCAST.length - 1))]!);
  const [lightness, a, b] = toLab(stop);
  const covered = mix(lightness, Math.min(grey[0], lightness + 0.12), cover * 0.8);
  return fromLab([covered, mix(a + turn, grey[1], cover * 0.8), mix(b - turn, grey[2], cover * 0.8)]);
}
