import { type Colour, fromHex, mixColours, scaleColour, toLab, fromLab } from '../raster/colour';
import { clamp, mix } from '../raster/curve';
import { createGradient, type Gradient, gradientColour } from '../raster/gradient';
import { between, createRandom, hashText, pick } from '../raster/random';
import { type Scene, type Setting, type TimeOfDay } from './scene';

/** The light source of a scene and its effect on air, sky and surfaces. */
export interface Light {
  /** From the zenith (0) to the horizon (1). */
  readonly sky: Gradient;
  /**
   * The position of the sun or the moon in the image: 0 to 1 from the left, and above the horizon as a share of the
   * sky's height.
   */
  readonly sourceX: number;
  /** -1 when the source is on the left, 1 when it is on the right. */
  readonly side: -1 | 1;
  readonly sourceElevation: number;
  readonly sourceColour: Colour;
  /** The direct light of the source on surfaces, and the ambient light of the sky. */
  readonly key: Colour;
  readonly ambient: Colour;
  readonly haze: Colour;
  /** The distance at which haze replaces about two thirds of a surface's own colour. */
  readonly visibility: number;
  readonly night: boolean;
  /** Whether lamps are lit. */
  readonly dark: boolean;
}

interface Hour {
  readonly skies: readonly [readonly string[], ...(readonly string[])[]];
  readonly elevation: readonly [number, number];
  readonly source: string;
  readonly key: number;
  readonly ambient: number;
  readonly visibility: number;
}

const HOURS: Readonly<Record<TimeOfDay, Hour>> = {
  dawn: {
    skies: [
      ['#3a4f86', '#7b7fb4', '#d9a2b4', '#f6c9a5', '#ffe6c0'],
      ['#41618f', '#8ba0c4', '#d8c1cf', '#f9d6bd', '#fff0d6'],
    ],
    elevation: [0.08, 0.2],
    source: '#ffd3a0',
    key: 1.5,
    ambient: 0.62,
    visibility: 70,
  },
  day: {
    skies: [
      ['#1d5fae', '#3f8bd0', '#86bfe6', '#cfe6f2'],
      ['#2270b8', '#5aa3da', '#a4d0ea', '#e6f1f2'],
    ],
    elevation: [0.62, 0.82],
    source: '#fff4dc',
    key: 1.9,
    ambient: 0.55,
    visibility: 70,
  },
  golden: {
    skies: [
      ['#3d6ea6', '#7ba3c4', '#d8cdb0', '#ffd993', '#ffeab8'],
      ['#4a6f9c', '#98a9b4', '#e9c999', '#ffc974', '#ffe3a6'],
    ],
    elevation: [0.16, 0.3],
    source: '#ffcf80',
    key: 2.1,
    ambient: 0.5,
    visibility: 44,
  },
  sunset: {
    skies: [
      ['#1c2754', '#553b7c', '#b84e7c', '#f4795a', '#ffbe6b'],
      ['#23325f', '#6a5487', '#d4718a', '#ff9a66', '#ffd489'],
      ['#2a2350', '#7a3c70', '#d9535f', '#ff8443', '#ffc55a'],
    ],
    elevation: [0.05, 0.17],
    source: '#ffb060',
    key: 1.7,
    ambient: 0.42,
    visibility: 38,
  },
  dusk: {
    skies: [
      ['#0d1638', '#22316a', '#565796', '#b07fa6', '#f0b39a'],
      ['#0f1d3e', '#294475', '#5f75a2', '#a9a2b6', '#e9c3ac'],
    ],
    elevation: [0.1, 0.3],
    source: '#e8d6d8',
    key: 0.42,
    ambient: 0.34,
    visibility: 38,
  },
  night: {
    skies: [
      ['#050a1e', '#0a1735', '#142a52', '#27456f'],
      ['#070919', '#101738', '#1f2b5a', '#3a4a7c'],
      ['#04101d', '#08213a', '#113c57', '#2a5f74'],
    ],
    elevation: [0.5, 0.78],
    source: '#dfe8ff',
    key: 0.5,
    ambient: 0.22,
    visibility: 24,
  },
};

const OVERCAST: Readonly<Record<'light' | 'dark', readonly string[]>> = {
  light: ['#8b97a6', '#a9b3bd', '#c6cccf', '#dde0dd'],
  dark: ['#2b333f', '#46505c', '#69737c', '#98a09f'],
};

/** Settings in which the land would hide a low sun. */
const HIDING: ReadonlySet<Setting> = new Set(['mountains', 'lake', 'river']);

export function lightOf(scene: Scene): Light {
  const random = createRandom(scene.seed ^ hashText('light'));
  const hour = HOURS[scene.time];
  const cover = overcast(scene);
  const night = scene.time === 'night';
  const stops = coveredSky(pick(random, hour.skies).map(fromHex), cover, scene);
  const sky = createGradient(stops);
  const source = fromHex(hour.source);
  const horizon = gradientColour(sky, 0.97);
  const dim = 1 - 0.75 * cover;
  const side = random() < 0.5 ? -1 : 1;
  const low = hour.elevation[1] < 0.35;
  return {
    sky,
    sourceX: 0.5 + side * between(random, 0.08, 0.28),
    side,
    sourceElevation: between(random, ...hour.elevation) + (low && HIDING.has(scene.setting) ? 0.17 : 0),
    sourceColour: source,
    key: scaleColour(source, hour.key * dim),
    ambient: scaleColour(
      softened(gradientColour(sky, 0.4), 0.3),
      hour.ambient * mix(1, 1.25, cover) * ambientGain(stops),
    ),
    haze: mixColours(horizon, gradientColour(sky, 0.5), 0.62),
    visibility:
      hour.visibility *
      (1 - 0.55 * scene.weather.rain) *
      (1 - 0.6 * scene.weather.snow) *
      (1 - 0.8 * scene.weather.fog),
    night,
    dark: night || scene.time === 'dusk',
  };
}

/** The share of a surface's own colour that haze replaces at a distance. */
export function airAt(light: Light, distance: number): number {
  return 1 - Math.exp(-Math.max(0, distance) / light.visibility);
}

/** The share of the sky's own colour that grey clouds hide. */
export function overcast({ weather }: Scene): number {
  return clamp(
    Math.max(weather.clouds - 0.6, 0) * 2.2 +
      0.7 * weather.rain +
      0.6 * weather.snow +
      0.75 * weather.lightning +
      0.35 * weather.fog,
    0,
    1,
  );
}

function coveredSky(stops: Colour[], cover: number, scene: Scene): Colour[] {
  if (cover === 0) return stops;
  const grey = createGradient(OVERCAST[scene.weather.lightning > 0 ? 'dark' : 'light'].map(fromHex));
  return stops.map((stop, index) => {
    const target = toLab(gradientColour(grey, index / (stops.length - 1)));
    const own = toLab(stop);
    // The brightness and some of the colour of the hour remain, so that a grey night is still a night.
    const lightness = mix(own[0], Math.min(target[0], own[0] + 0.12), cover * 0.8);
    return fromLab([lightness, mix(own[1], target[1], cover * 0.8), mix(own[2], target[2], cover * 0.8)]);
  });
}

/** Ambient light has the sky's tint, but is never as saturated as the sky itself. */
function softened(colour: Colour, amount: number): Colour {
  const [, a, b] = toLab(colour);
  return fromLab([0.82, a * (1 - amount), b * (1 - amount)]);
}

function ambientGain(stops: readonly Colour[]): number {
  const horizon = stops[stops.length - 1];
  return horizon ? 0.75 + toLab(horizon)[0] * 0.6 : 1;
}
