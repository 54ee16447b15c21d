import { type Colour } from '../raster/colour';

export type Setting =
  | 'mountains'
  | 'lake'
  | 'river'
  | 'sea'
  | 'beach'
  | 'island'
  | 'coast'
  | 'forest'
  | 'desert'
  | 'canyon'
  | 'meadow'
  | 'sky'
  | 'city'
  | 'space'
  | 'still-life'
  | 'interior'
  | 'flow'
  | 'geometric';

export type TimeOfDay = 'dawn' | 'day' | 'golden' | 'sunset' | 'dusk' | 'night';
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';

/** Each from 0 (none) to 1 (the most). */
export interface Weather {
  readonly clouds: number;
  readonly fog: number;
  readonly rain: number;
  readonly snow: number;
  readonly lightning: number;
  readonly aurora: number;
  /** Moves the water: 0 makes it a mirror, 1 a rough sea. */
  readonly wind: number;
}

export type SubjectKind =
  | 'lighthouse'
  | 'sailboat'
  | 'ship'
  | 'cabin'
  | 'castle'
  | 'tower'
  | 'windmill'
  | 'bridge'
  | 'tree'
  | 'palm'
  | 'balloon'
  | 'birds';

export interface Subject {
  readonly kind: SubjectKind;
  /** The colour that the prompt gives it ("a red boat"); without one it has its usual colour. */
  readonly colour?: Colour;
}

export type ObjectKind = 'vase' | 'bottle' | 'jug' | 'bowl' | 'cup' | 'apple' | 'pear' | 'lemon' | 'orange' | 'plum';

/** An object on the table of a still life. */
export interface StillObject {
  readonly kind: ObjectKind;
  readonly colour?: Colour;
}

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
  readonly sun: boolean;
  readonly moon: boolean;
  readonly stars: boolean;
  readonly trees: boolean;
  readonly flowers: boolean;
  readonly flowerColour?: Colour;
  readonly rings: boolean;
  readonly subjects: readonly Subject[];
  readonly objects: readonly StillObject[];
  /** The view through the window of a room. */
  readonly view: Setting;
  /** The colours that the prompt gives to the whole image, in its order. */
  readonly colours: readonly Colour[];
  readonly moods: readonly Mood[];
  /** The strength of colours and moods, 0 to 1. */
  readonly gradeStrength: number;
  /** Octaves more or fewer than usual. */
  readonly detail: number;
  readonly seed: number;
}
