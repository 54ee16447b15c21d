import { type Colour } from '../raster/colour';
import { clamp } from '../raster/curve';
import { between, createRandom, hashText, pick, type Random } from '../raster/random';
import { type Element, type Meaning } from './lexicon';
import { type Mention, readMentions } from './mentions';
import {
  type Mood,
  type ObjectKind,
  type Scene,
  type Season,
  type Setting,
  type StillObject,
  type Subject,
  type SubjectKind,
  type TimeOfDay,
  type Weather,
} from './scene';
import { wordsOf } from './words';

export interface PromptRequest {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly seed: number;
  readonly steps?: number | undefined;
  readonly guidance?: number | undefined;
}

/** Understands a prompt. Pure: the same words and seed always give the same scene. */
export function sceneFromPrompt(request: PromptRequest): Scene {
  const seed = hashText(`${request.seed} ${wordsOf(request.prompt).join(' ')}`);
  const random = createRandom(seed);
  const mentions = readMentions(request.prompt);
  const unwanted = [...mentions.filter(({ negated }) => negated), ...readMentions(request.negativePrompt)].flatMap(
    ({ meanings }) => meanings,
  );
  const wanted = mentions.filter(
    (mention) =>
      !mention.negated && !mention.meanings.some((meaning) => unwanted.some((other) => isSame(meaning, other))),
  );
  const meanings = wanted.flatMap((mention) => mention.meanings);
  const subjects = subjectsOf(wanted);
  const setting = settingOf(meanings, subjects, random);
  const time = timeOf(meanings, unwanted, random);
  const weather = withoutUnwanted(weatherOf(meanings, time, random), unwanted);
  const has = (element: Element): boolean =>
    meanings.some((meaning) => meaning.kind === 'element' && meaning.element === element);
  const lacks = (element: Element): boolean =>
    unwanted.some((meaning) => meaning.kind === 'element' && meaning.element === element);
  return {
    setting,
    time,
    season: seasonOf(meanings, weather),
    weather,
    sun: !lacks('sun'),
    moon: !lacks('moon') && (has('moon') || (time === 'night' && weather.aurora === 0 && random() < 0.6)),
    stars: !lacks('stars') && (has('stars') || setting === 'space' || time === 'night' || time === 'dusk'),
    trees: !lacks('trees'),
    flowers: !lacks('flowers') && (has('flowers') || (setting === 'meadow' && random() < 0.4)),
    rings: has('rings') || random() < 0.35,
    subjects,
    objects: objectsOf(wanted),
    view: viewOf(meanings, random),
    ...flowerColourOf(wanted),
    colours: coloursOf(wanted, setting),
    moods: [...new Set(meanings.flatMap((meaning): Mood[] => (meaning.kind === 'mood' ? [meaning.mood] : [])))],
    gradeStrength: clamp(request.guidance === undefined ? 0.55 : 0.2 + request.guidance * 0.045, 0.2, 0.95),
    detail: detailOf(request.steps),
    seed,
  };
}

function isSame(a: Meaning, b: Meaning): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Among several settings the more particular one wins: a lake in the mountains is a lake. Equal ones: the first. */
const PRECEDENCE: Readonly<Record<Setting, number>> = {
  flow: 5,
  city: 4,
  space: 4,
  'still-life': 4,
  interior: 4,
  canyon: 4,
  desert: 4,
  island: 4,
  beach: 4,
  coast: 4,
  lake: 4,
  river: 3,
  forest: 3,
  meadow: 2,
  mountains: 2,
  sea: 2,
  sky: 1,
  geometric: 0,
};

/** Where a subject is at home when the prompt does not say where it is. */
const HOMES: Readonly<Record<SubjectKind, readonly [Setting, ...Setting[]]>> = {
  lighthouse: ['coast'],
  sailboat: ['sea', 'lake', 'coast'],
  ship: ['sea'],
  cabin: ['lake', 'mountains', 'meadow'],
  castle: ['mountains', 'lake', 'river'],
  tower: ['meadow', 'coast'],
  windmill: ['meadow'],
  bridge: ['river'],
  tree: ['meadow'],
  palm: ['beach', 'island'],
  balloon: ['meadow', 'mountains', 'sky'],
  birds: ['sea', 'sky', 'lake'],
};

function settingOf(meanings: readonly Meaning[], subjects: readonly Subject[], random: Random): Setting {
  const named = meanings.flatMap((meaning) => (meaning.kind === 'setting' ? [meaning.setting] : []));
  const home = subjects[0] ? pick(random, HOMES[subjects[0].kind]) : undefined;
  const best = named.reduce<Setting | undefined>(
    (chosen, next) => (chosen && PRECEDENCE[chosen] >= PRECEDENCE[next] ? chosen : next),
    undefined,
  );
  // A building needs ground to stand on.
  if (best === 'sea' && subjects.some(({ kind }) => isBuilding(kind))) return 'coast';
  // A bridge needs something to cross.
  if (
    subjects.some(({ kind }) => kind === 'bridge') &&
    best &&
    ['lake', 'mountains', 'meadow', 'forest'].includes(best)
  )
    return 'river';
  if (best === 'geometric' && home) return home;
  if (best) return best;
  if (home) return home;
  if (meanings.some(({ kind, ...rest }) => kind === 'element' && 'element' in rest && rest.element === 'flowers'))
    return pick(random, ['meadow', 'still-life']);
  if (meanings.some(({ kind }) => kind === 'time' || kind === 'season' || kind === 'weather' || kind === 'element'))
    return pick(random, ['lake', 'meadow', 'sea', 'mountains']);
  return pick(random, ['flow', 'geometric']);
}

const INDOORS: ReadonlySet<Setting> = new Set(['interior', 'still-life', 'flow', 'geometric', 'space']);

/** What a window shows: the outdoor setting that the prompt also names, or one that suits any room. */
function viewOf(meanings: readonly Meaning[], random: Random): Setting {
  const usual = pick<Setting>(random, ['lake', 'sea', 'meadow', 'mountains', 'city']);
  return (
    meanings.flatMap((meaning) =>
      meaning.kind === 'setting' && !INDOORS.has(meaning.setting) ? [meaning.setting] : [],
    )[0] ?? usual
  );
}

export function isBuilding(kind: SubjectKind): boolean {
  return ['lighthouse', 'cabin', 'castle', 'tower', 'windmill'].includes(kind);
}

function timeOf(meanings: readonly Meaning[], unwanted: readonly Meaning[], random: Random): TimeOfDay {
  const banned = new Set(unwanted.flatMap((meaning) => (meaning.kind === 'time' ? [meaning.time] : [])));
  const named = meanings.flatMap((meaning) => (meaning.kind === 'time' ? [meaning.time] : []))[0];
  if (named) return named;
  const nightly = meanings.some(
    (meaning) =>
      (meaning.kind === 'element' && (meaning.element === 'moon' || meaning.element === 'stars')) ||
      (meaning.kind === 'weather' && meaning.weather.aurora),
  );
  if (nightly) return 'night';
  const usual = (['day', 'golden', 'day', 'sunset', 'golden', 'dawn'] as const).filter((time) => !banned.has(time));
  const [first = 'day', ...others] = usual;
  return pick(random, [first, ...others]);
}

function weatherOf(meanings: readonly Meaning[], time: TimeOfDay, random: Random): Weather {
  const usual: Weather = {
    clouds: time === 'night' ? between(random, 0.1, 0.3) : between(random, 0.3, 0.58),
    fog: 0,
    rain: 0,
    snow: 0,
    lightning: 0,
    aurora: 0,
    wind: between(random, 0.25, 0.5),
  };
  return meanings.reduce(
    (weather, meaning) => (meaning.kind === 'weather' ? { ...weather, ...meaning.weather } : weather),
    usual,
  );
}

function withoutUnwanted(weather: Weather, unwanted: readonly Meaning[]): Weather {
  const left = { ...weather };
  for (const meaning of unwanted) {
    if (meaning.kind !== 'weather') continue;
    if (meaning.weather.fog) left.fog = 0;
    if (meaning.weather.snow) left.snow = 0;
    if (meaning.weather.aurora) left.aurora = 0;
    if (meaning.weather.lightning) left.lightning = 0;
    if (meaning.weather.rain) left.rain = 0;
    // "no clouds" clears the sky; "no rain" only stops the rain.
    if (Object.keys(meaning.weather).length === 1 && meaning.weather.clouds) left.clouds = 0;
  }
  return left;
}

function seasonOf(meanings: readonly Meaning[], weather: Weather): Season {
  const named = meanings.flatMap((meaning) => (meaning.kind === 'season' ? [meaning.season] : []))[0];
  return named ?? (weather.snow > 0 ? 'winter' : 'summer');
}

/** A colour right before a thing is that thing's colour: "a red boat". */
function ownColour(wanted: readonly Mention[], i: number): { colour: Colour } | undefined {
  const before = wanted[i - 1];
  const mention = wanted[i];
  const named = before && mention && isBefore(before, mention) ? colourIn(before) : undefined;
  return named && { colour: named.colour };
}

function subjectsOf(wanted: readonly Mention[]): Subject[] {
  const subjects = new Map<SubjectKind, Subject>();
  wanted.forEach((mention, i) => {
    for (const meaning of mention.meanings) {
      if (meaning.kind !== 'subject' || subjects.has(meaning.subject)) continue;
      subjects.set(meaning.subject, { kind: meaning.subject, ...ownColour(wanted, i) });
    }
  });
  return [...subjects.values()];
}

function objectsOf(wanted: readonly Mention[]): StillObject[] {
  const objects = new Map<ObjectKind, StillObject>();
  wanted.forEach((mention, i) => {
    for (const meaning of mention.meanings) {
      if (meaning.kind !== 'object' || objects.has(meaning.object)) continue;
      objects.set(meaning.object, { kind: meaning.object, ...ownColour(wanted, i) });
    }
  });
  return [...objects.values()];
}

function flowerColourOf(wanted: readonly Mention[]): { flowerColour?: Colour } {
  const at = wanted.findIndex(({ meanings }) =>
    meanings.some((meaning) => meaning.kind === 'element' && meaning.element === 'flowers'),
  );
  const own = ownColour(wanted, at);
  return own ? { flowerColour: own.colour } : {};
}

/** Colours that a place has anyway: "a green forest" asks for a forest, not for a green picture. */
const NATURAL: readonly (readonly [pattern: RegExp, settings: readonly Setting[]])[] = [
  [/green|olive|emerald|lime/, ['forest', 'meadow', 'mountains', 'river', 'lake', 'island', 'coast']],
  [/blue|azure|turquoise|aqua|teal|cyan/, ['sea', 'lake', 'river', 'beach', 'island', 'coast', 'sky']],
  [/gold|yellow|sand|beige/, ['desert', 'beach', 'canyon']],
  [/orange|red|rust|ochre|terracotta/, ['canyon', 'desert']],
];

function coloursOf(wanted: readonly Mention[], setting: Setting): Colour[] {
  const colours: Colour[] = [];
  wanted.forEach((mention, i) => {
    const found = colourIn(mention);
    if (!found) return;
    const next = wanted[i + 1];
    const follows = next && isBefore(mention, next) ? next.meanings : [];
    if (follows.some(isColouredThing)) return;
    const describesPlace = follows.some(({ kind }) => kind === 'setting' || kind === 'time' || kind === 'season');
    const natural = NATURAL.some(([pattern, settings]) => pattern.test(found.name) && settings.includes(setting));
    if (describesPlace && (natural || follows.some(({ kind }) => kind === 'time'))) return;
    colours.push(found.colour);
  });
  return colours.slice(0, 5);
}

function isColouredThing(meaning: Meaning): boolean {
  return (
    meaning.kind === 'subject' ||
    meaning.kind === 'object' ||
    (meaning.kind === 'element' && meaning.element === 'flowers')
  );
}

function colourIn(mention: Mention): { colour: Colour; name: string } | undefined {
  return mention.meanings.find((meaning) => meaning.kind === 'colour');
}

function isBefore(first: Mention, second: Mention): boolean {
  return second.at - (first.at + first.length) <= 1;
}

function detailOf(steps: number | undefined): number {
  if (steps === undefined) return 0;
  if (steps <= 3) return -2;
  if (steps <= 10) return -1;
  return steps > 34 ? 1 : 0;
}
