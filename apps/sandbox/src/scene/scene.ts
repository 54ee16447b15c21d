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

/** Each from 0 (none) to 1 (as much as there can be). */
export interface Weather {
  readonly clouds: number;
  readonly fog: number;
  readonly rain: number;
  readonly snow: number;
  readonly lightning: number;
  readonly aurora: number;
  /** What moves water: 0 makes a mirror of it, 1 a rough sea. */
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
  /** The colour that the prompt gave it ("a red boat"); without one it has its usual colour. */
  readonly colour?: Colour;
}

export type ObjectKind = 'vase' | 'bottle' | 'jug' | 'bowl' | 'cup' | 'apple' | 'pear' | 'lemon' | 'orange' | 'plum';

/** Something on the table of a still life. */
export interface StillObject {
  readonly kind: ObjectKind;
  readonly colour?: Colour;
}

export type Mood =
  'pastel' | 'neon' | 'monochrome' | 'sepia' | 'warm' | 'cool' | 'vivid' | 'muted' | 'dark' | 'bright' | 'dramatic';

/** What the words of a prompt were understood to mean. Everything that they leave open is decided by `seed`. */
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
  /** What is seen through the window of a room. */
  readonly view: Setting;
  /** Colours that the prompt names for the whole picture, in its order. */
  readonly colours: readonly Colour[];
  readonly moods: readonly Mood[];
  /** How strongly colours and moods take hold, 0 to 1. */
  readonly gradeStrength: number;
  /** Octaves more or fewer than usual. */
  readonly detail: number;
  readonly seed: number;
}
