import { smoothstep } from '../raster/curve';
import { type Luck } from '../raster/random';
import { type EditPhrase } from '../phrases/match-phrases';

/** The position of the camera at one moment, relative to the start frame. */
export interface Camera {
  /** How far the middle of the view has moved right and down, as shares of the frame. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** 1 shows the whole frame, 2 its middle half. */
  readonly zoom: number;
  /** Rotation about the line of sight, in radians. */
  readonly roll: number;
  /** How far near objects move relative to far ones, as shares of the frame. */
  readonly orbitX: number;
  readonly orbitY: number;
}

export interface Moment {
  /** From 0 in the first frame to 1 in the last. */
  readonly progress: number;
  /** The same, with a soft start and end. */
  readonly eased: number;
  readonly seconds: number;
}

/** A camera move. `luck` decides what the words leave open. */
export interface Move {
  readonly name: string;
  readonly cameraAt: (moment: Moment, amount: number, luck: Luck) => Partial<Camera>;
}

/** Objects in an image move as well: these words mean the camera only next to the word "camera". */
const CAMERA = 'camera(?: \\w+){0,2}?';
const GOES = [
  'pan(?:s|ning)?',
  '(?:track|truck|tilt|sweep|boom)(?:s|ing)?',
  '(?:slid|cran)(?:e|es|ing)',
  `${CAMERA} (?:mov|turn|glid|drift|travel|fl[iy]|go)\\w*`,
  '(?:mov|turn)(?:e|es|s|ing)? the camera',
].join('|');

function words(...alternatives: string[]): RegExp {
  return new RegExp(`\\b(?:${alternatives.join('|')})\\b`, 'g');
}

function going(direction: string): string {
  return `(?:${GOES})(?: \\w+){0,5}? (?:${direction})`;
}

/** Far enough to be visible, and short enough that hardly any area beyond the edge of the start frame appears. */
const PAN = 0.1;
const PAN_ZOOM = 0.2;

/** A move that words can request. */
export type NamedMove = Move & EditPhrase;

function move(name: string, pattern: RegExp, cameraAt: Move['cameraAt']): NamedMove {
  return { name, pattern, cameraAt };
}

function pan(name: string, pattern: RegExp, x: number, y: number): NamedMove {
  return move(name, pattern, ({ eased }, amount) => {
    const way = amount * eased;
    return { shiftX: x * PAN * way, shiftY: y * PAN * way, zoom: 1 + PAN_ZOOM * way };
  });
}

/** All camera moves that a prompt can request. */
export const MOVES: readonly NamedMove[] = [
  pan('pan left', words(going('left(?:wards?)?|right to left')), -1, 0),
  pan('pan right', words(going('right(?:wards?)?|left to right')), 1, 0),
  pan('pan up', words(going('up(?:wards?)?'), `${CAMERA} (?:ris|ascend)\\w*`), 0, -1),
  pan('pan down', words(going('down(?:wards?)?'), `${CAMERA} descend\\w*`), 0, 1),
  move(
    'zoom in',
    words(
      'zoom(?:s|ing)?(?:(?: \\w+){0,2}? in(?:to)?)?',
      '(?:push|doll[yi])(?:e?s|ing)?(?: \\w+){0,2}? (?:in(?:to)?|forwards?|closer)',
      `${CAMERA} mov\\w*(?: \\w+){0,2}? (?:in(?:to)?|forwards?|closer)`,
      'closer',
      'approach(?:es|ing)?',
      'fly(?:ing)? (?:in(?:to)?|through)',
    ),
    ({ eased }, amount) => ({ zoom: 1 + 0.38 * amount * eased }),
  ),
  move(
    'zoom out',
    words(
      'zoom(?:s|ing)?(?: \\w+){0,2}? out',
      '(?:pull|doll[yi])(?:e?s|ing)?(?: \\w+){0,2}? (?:out|back(?:wards?)?|away)',
      `${CAMERA} mov\\w*(?: \\w+){0,2}? (?:out|back(?:wards?)?|away)`,
    ),
    ({ eased }, amount) => ({ zoom: 1 - 0.11 * Math.min(amount, 1.2) * eased }),
  ),
  move(
    'orbit',
    words('orbit(?:s|ing)?', 'arc shot', 'parallax', `(?:${CAMERA} )?circl(?:es?|ing)`, `${CAMERA} \\w+ around`),
    // A full turn of a small circle, so that the video can be played in a loop.
    ({ eased }, amount) => {
      const angle = eased * 2 * Math.PI;
      const back = amount * (1 - Math.cos(angle));
      return { orbitX: 0.075 * amount * Math.sin(angle), orbitY: 0.03 * back, zoom: 1 + 0.045 * back };
    },
  ),
  move(
    'roll',
    words('camera roll', `${CAMERA} (?:roll|spin|twist|rotat)\\w*`, 'dutch angle'),
    ({ eased }, amount, luck) => ({
      roll: (luck('roll')() < 0.5 ? -0.13 : 0.13) * amount * eased,
      zoom: 1 + 0.2 * amount * eased,
    }),
  ),
  move(
    'shake',
    words('hand[ -]?held', 'shaky', 'camera shake', `${CAMERA} shak\\w*`, 'earthquake', 'bumpy', 'jittery'),
    shakenAt,
  ),
];

/** Words that keep the camera still. */
export const STILL: EditPhrase = {
  name: 'still',
  pattern: words(
    'static',
    'still(?! (?:life|water|lake|sea|air))',
    'motionless',
    'locked[ -]?(?:off|down)',
    'fixed (?:camera|shot|frame)',
    '(?:no|without)(?: any)?(?: camera)? (?:motion|movement)s?',
  ),
};

/** For prompts without a camera move: a slow push-in, slightly off the straight line. */
export const GENTLE_PUSH: Move = {
  name: 'gentle push-in',
  cameraAt: ({ eased }, amount, luck) => {
    const direction = luck('push-in')() * 2 * Math.PI;
    return {
      zoom: 1 + 0.17 * amount * eased,
      orbitX: 0.05 * amount * eased * Math.cos(direction),
      orbitY: 0.02 * amount * eased * Math.sin(direction),
    };
  },
};

/** Incommensurable frequencies, so that the tremor never appears to repeat. */
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
