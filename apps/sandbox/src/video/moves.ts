import { smoothstep } from '../raster/curve';
import { type Luck } from '../scene/luck';
import { type Wish } from '../wishes/read-wishes';
import { type Camera } from './camera';

/** A moment of a video. */
export interface Moment {
  /** From 0 in the first frame to 1 in the last. */
  readonly progress: number;
  /** The same, but setting out and arriving softly. */
  readonly eased: number;
  readonly seconds: number;
}

/** A way in which the camera can move. `luck` fills in what the words leave open. */
export interface Move extends Wish {
  readonly cameraAt: (moment: Moment, amount: number, luck: Luck) => Partial<Camera>;
}

const GOES =
  '(?:pan|track|truck|slid|mov|sweep|turn|glid|travel|drift|tilt|look|fly|shift|crane|boom)(?:e|s|es|ing|ning|ting|k)?';

function towards(words: string): RegExp {
  return new RegExp(`\\b${GOES}(?: \\w+){0,5}? (?:${words})\\b`, 'g');
}

/** Far enough to be seen, near enough that hardly anything from beyond the edge of the start frame comes into view. */
const PAN = 0.1;
const PAN_ZOOM = 0.2;

function pan(name: string, words: RegExp, x: number, y: number): Move {
  return {
    name,
    pattern: words,
    cameraAt: ({ eased }, amount) => ({
      shiftX: x * PAN * amount * eased,
      shiftY: y * PAN * amount * eased,
      zoom: 1 + PAN_ZOOM * amount * eased,
    }),
  };
}

/** All ways of moving that a prompt can ask for. */
export const MOVES: readonly Move[] = [
  pan('pan left', towards('left(?:wards?)?|right to left'), -1, 0),
  pan('pan right', towards('right(?:wards?)?|left to right'), 1, 0),
  pan(
    'pan up',
    new RegExp(`${towards('up(?:wards?)?').source}|\\b(?:rises?|rising|ascends?|ascending)\\b`, 'g'),
    0,
    -1,
  ),
  pan('pan down', new RegExp(`${towards('down(?:wards?)?').source}|\\b(?:descends?|descending)\\b`, 'g'), 0, 1),
  {
    name: 'zoom in',
    pattern:
      /\b(?:zoom(?:s|ing)?(?: \w+){0,2}? in(?:to)?|(?:push|doll?y|mov|dolly)(?:e|s|es|ing)?(?: \w+){0,2}? (?:in(?:to)?|forwards?|closer)|closer|approach(?:es|ing)?|fly(?:ing)? (?:in|through|into)|zoom(?:s|ing)?)\b/g,
    cameraAt: ({ eased }, amount) => ({ zoom: 1 + 0.38 * amount * eased }),
  },
  {
    name: 'zoom out',
    pattern:
      /\b(?:zoom(?:s|ing)?(?: \w+){0,2}? out|(?:pull|doll?y|dolly|mov)(?:e|s|es|ing)?(?: \w+){0,2}? (?:out|back(?:wards?)?|away)|wider)\b/g,
    cameraAt: ({ eased }, amount) => ({ zoom: 1 - 0.11 * Math.min(amount, 1.2) * eased }),
  },
  {
    name: 'orbit',
    pattern: /\b(?:orbit(?:s|ing|al)?|circl(?:es?|ing)|arc(?:s|ing)? (?:shot|around)|(?:around|parallax)|360)\b/g,
    // A full turn of a small circle, so that the video can be played in a loop.
    cameraAt: ({ eased }, amount) => ({
      orbitX: 0.075 * amount * Math.sin(eased * 2 * Math.PI),
      orbitY: 0.03 * amount * (1 - Math.cos(eased * 2 * Math.PI)),
      zoom: 1 + 0.045 * amount * (1 - Math.cos(eased * 2 * Math.PI)),
    }),
  },
  {
    name: 'roll',
    pattern: /\b(?:roll(?:s|ing)?|spin(?:s|ning)?|twist(?:s|ing)?|rotat(?:es?|ing|ion)|dutch angle)\b/g,
    cameraAt: ({ eased }, amount, luck) => ({
      roll: (luck('roll')() < 0.5 ? -0.13 : 0.13) * amount * eased,
      zoom: 1 + 0.2 * amount * eased,
    }),
  },
  {
    name: 'shake',
    pattern:
      /\b(?:hand[ -]?held|shak(?:e|es|y|ing)|earthquake|trembl(?:es?|ing)|wobbl(?:es?|ing|y)|bumpy|jitter(?:y|ing)?)\b/g,
    cameraAt: shakenAt,
  },
];

/** What keeps the camera where it is. */
export const STILL: Wish = {
  name: 'still',
  pattern:
    /\b(?:static|still(?! (?:life|water|lake|sea|air))|motionless|locked[ -]?(?:off|down)|fixed (?:camera|shot|frame)|(?:no|without)(?: any)?(?: camera)? (?:motion|movement)s?)\b/g,
};

/** For prompts that say nothing about the camera: a slow push-in, a little off the straight line. */
export const GENTLE_PUSH: Move = {
  name: 'gentle push-in',
  pattern: /(?!)/g,
  cameraAt: ({ eased }, amount, luck) => {
    const direction = luck('push-in')() * 2 * Math.PI;
    return {
      zoom: 1 + 0.17 * amount * eased,
      orbitX: 0.05 * amount * eased * Math.cos(direction),
      orbitY: 0.02 * amount * eased * Math.sin(direction),
    };
  },
};

/** Waves whose lengths have no common measure, so that the hand never seems to repeat itself. */
const TREMOR_HZ = [0.43, 0.97, 1.71, 2.83] as const;

function shakenAt({ progress, seconds }: Moment, amount: number, luck: Luck): Partial<Camera> {
  const hold = smoothstep(0, 0.12, progress) * smoothstep(1, 0.88, progress) * amount;
  const tremor = (axis: string): number => {
    const phase = luck(`shake ${axis}`);
    return TREMOR_HZ.reduce((sum, hz) => sum + Math.sin(2 * Math.PI * (hz * seconds + phase())) / (1 + hz), 0);
  };
  return {
    shiftX: 0.008 * hold * tremor('x'),
    shiftY: 0.01 * hold * tremor('y'),
    roll: 0.008 * hold * tremor('roll'),
    zoom: 1 + 0.05 * hold,
  };
}
