import { type Colour } from '../raster/colour';
import { clamp } from '../raster/curve';
import { between, createLuck, hashText, type Luck, pick } from '../raster/random';
import { LEXICON, wordsOf } from './lexicon';
import { type Mention, readMentions, valuesOf } from './mentions';
import { type Element, type Landmark, type Scene, type Setting, type TimeOfDay, type Weather } from './scene';

export interface PromptRequest {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly seed: number;
  readonly steps?: number | undefined;
  readonly guidance?: number | undefined;
}

export const ABSTRACT: ReadonlySet<Setting> = new Set(['flow', 'geometric']);
/** The more specific of several settings takes precedence: a lake in the mountains is a lake. */
const PRECEDENCE: readonly (readonly Setting[])[] = [
  ['geometric'],
  ['sea'],
  ['mountains', 'meadow'],
  ['forest'],
  ['lake', 'coast', 'desert', 'room', 'space', 'city'],
  ['flow'],
];
const HOMES: Readonly<Record<Landmark, Setting>> = { lighthouse: 'coast', boat: 'sea', house: 'meadow' };

/** Interprets a prompt. Pure: the same words and seed always give the same scene. */
export function sceneFromPrompt({ prompt, negativePrompt, seed: chosen, steps, guidance }: PromptRequest): Scene {
  const seed = hashText(`${chosen} ${wordsOf(prompt).join(' ')}`);
  const luck = createLuck(seed);
  const mentions = readMentions(prompt);
  const refused = [...mentions.filter(({ negated }) => negated), ...readMentions(negativePrompt)];
  const unwanted = new Set(refused.flatMap(({ meanings }) => meanings.map((meaning) => JSON.stringify(meaning))));
  const isWanted = ({ negated, meanings }: Mention): boolean =>
    !negated && !meanings.some((meaning) => unwanted.has(JSON.stringify(meaning)));
  const wanted = mentions.filter(isWanted);
  const landmark = valuesOf(wanted, 'landmark')[0];
  const setting = settingOf(wanted, landmark, luck);
  const time = timeOf(wanted, refused, luck);
  const weather = weatherOf(wanted, refused, time, luck);
  const shows = (element: Element, usually: boolean): boolean =>
    !valuesOf(refused, 'element').includes(element) && (valuesOf(wanted, 'element').includes(element) || usually);
  return {
    setting,
    time,
    season: valuesOf(wanted, 'season')[0] ?? (weather.snow > 0 ? 'winter' : 'summer'),
    weather,
    shows: {
      sun: shows('sun', true),
      moon: shows('moon', time === 'night' && weather.aurora === 0 && luck('moon')() < 0.6),
      stars: shows('stars', setting === 'space' || time === 'night' || time === 'dusk'),
      trees: shows('trees', true),
    },
    landmark,
    colours: coloursOf(wanted, setting),
    moods: [...new Set(valuesOf(wanted, 'mood'))],
    gradeStrength: guidance === undefined ? 0.55 : clamp(0.2 + guidance * 0.045, 0.2, 0.95),
    detail: detailOf(steps),
    seed,
  };
}

function settingOf(wanted: readonly Mention[], landmark: Landmark | undefined, luck: Luck): Setting {
  const rank = (setting: Setting): number => PRECEDENCE.findIndex((settings) => settings.includes(setting));
  const [named] = valuesOf(wanted, 'setting').sort((a, b) => rank(b) - rank(a));
  // A building needs land to stand on.
  if (named === 'sea' && landmark !== undefined && landmark !== 'boat') return 'coast';
  if (named && !(named === 'geometric' && landmark)) return named;
  if (landmark) return HOMES[landmark];
  const isOutdoors = wanted.some(({ meanings }) => meanings.some(({ kind }) => kind !== 'colour' && kind !== 'mood'));
  return pick<Setting>(luck('setting'), isOutdoors ? ['lake', 'meadow', 'sea', 'mountains'] : ['flow', 'geometric']);
}

function timeOf(wanted: readonly Mention[], refused: readonly Mention[], luck: Luck): TimeOfDay {
  const [named] = valuesOf(wanted, 'time');
  if (named) return named;
  const isByNight = valuesOf(wanted, 'element').some((element) => element === 'moon' || element === 'stars');
  if (isByNight || valuesOf(wanted, 'weather').some(({ aurora }) => aurora)) return 'night';
  const banned = valuesOf(refused, 'time');
  // The more attractive hours more often.
  const usual = (['day', 'golden', 'sunset', 'golden', 'dawn'] as const).filter((time) => !banned.includes(time));
  return pick(luck('time'), [usual[0] ?? 'day', ...usual.slice(1)]);
}

/** The named weather added to that of a usual day, without what is not wanted. */
function weatherOf(wanted: readonly Mention[], refused: readonly Mention[], time: TimeOfDay, luck: Luck): Weather {
  const random = luck('weather');
  const clouds = time === 'night' ? between(random, 0.1, 0.3) : between(random, 0.3, 0.58);
  const weather = { clouds, fog: 0, rain: 0, snow: 0, aurora: 0, wind: between(random, 0.25, 0.5) };
  Object.assign(weather, ...valuesOf(wanted, 'weather'));
  for (const less of valuesOf(refused, 'weather')) {
    const kinds = (['fog', 'rain', 'snow', 'aurora'] as const).filter((kind) => less[kind]);
    // Rain comes with clouds; still "no rain" only removes the rain, and "no clouds" clears the sky.
    if (kinds.length === 0 && less.clouds) weather.clouds = 0;
    for (const kind of kinds) weather[kind] = 0;
  }
  return weather;
}

const MOST_COLOURS = 5;
/** After these words a colour applies to the image: "in teal and orange", "red tones". */
const UNBOUND = new Set(
  'and or with in on at of to over under near from for tone light color colour palette hue glow theme mood haze'.split(
    ' ',
  ),
);

/** The colours of the image as a whole: "a red fox in a green forest" means neither a red nor a green image. */
function coloursOf(wanted: readonly Mention[], setting: Setting): Colour[] {
  const isFree = ({ followedBy }: Mention): boolean =>
    ABSTRACT.has(setting) ||
    followedBy === '' ||
    UNBOUND.has(followedBy) ||
    (LEXICON.get(followedBy)?.some(({ kind }) => kind === 'colour') ?? false);
  return valuesOf(wanted.filter(isFree), 'colour').slice(0, MOST_COLOURS);
}

function detailOf(steps: number | undefined): number {
  if (steps === undefined) return 0;
  if (steps <= 3) return -2;
  if (steps <= 10) return -1;
  return steps > 34 ? 1 : 0;
}
