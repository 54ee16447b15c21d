import { type Colour } from '../raster/colour';

export type Setting =
  | 'mountains'
  | 'lake'
  | 'sea'
  | 'coast'
  | 'forest'
  | 'desert'
  | 'meadow'
  | 'city'
  | 'space'
  | 'room'
  | 'flow'
  | 'geometric';
export type TimeOfDay = 'dawn' | 'day' | 'golden' | 'sunset' | 'dusk' | 'night';
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';

/** Each from 0 (none) to 1 (the most). `wind` moves the water: 0 makes it a mirror, 1 a rough sea. */
export type Weather = Readonly<Record<'clouds' | 'fog' | 'rain' | 'snow' | 'aurora' | 'wind', number>>;
export type Element = 'sun' | 'moon' | 'stars' | 'trees';
/** What stands alone in a landscape, in plain shapes. */
export type Landmark = 'lighthouse' | 'boat' | 'house';
export type Mood =
  | 'pastel'
  | 'neon'
  | 'monochrome'
  | 'sepia'
  | 'warm'
  | 'cool'
  | 'vivid'
  | 'muted'
  | 'dark'
  | 'bright'
  | 'dramatic';

/** The interpreted meaning of a prompt. `seed` decides everything that the words leave open. */
export interface Scene {
  readonly setting: Setting;
  readonly time: TimeOfDay;
  readonly season: Season;
  readonly weather: Weather;
  readonly shows: Readonly<Record<Element, boolean>>;
  readonly landmark: Landmark | undefined;
  /** The colours that the prompt gives to the whole image, in its order. */
  readonly colours: readonly Colour[];
  readonly moods: readonly Mood[];
  /** The strength of colours and moods, 0 to 1. */
  readonly gradeStrength: number;
  /** Octaves more or fewer than usual. */
  readonly detail: number;
  readonly seed: number;
}
