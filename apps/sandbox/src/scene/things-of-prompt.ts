import { type Colour } from '../raster/colour';
import { type Meaning } from './lexicon';
import { type Mention } from './mentions';
import { ofKind, type PromptReading } from './prompt-reading';
import { type ObjectKind, type Setting, type StillObject, type Subject, type SubjectKind } from './scene';

export function subjectsOf({ wanted }: PromptReading): Subject[] {
  const subjects = new Map<SubjectKind, Subject>();
  wanted.forEach((mention, i) => {
    for (const { subject } of ofKind(mention.meanings, 'subject')) {
      if (!subjects.has(subject)) subjects.set(subject, { kind: subject, ...ownColour(wanted, i) });
    }
  });
  return [...subjects.values()];
}

export function objectsOf({ wanted }: PromptReading): StillObject[] {
  const objects = new Map<ObjectKind, StillObject>();
  wanted.forEach((mention, i) => {
    for (const { object } of ofKind(mention.meanings, 'object')) {
      if (!objects.has(object)) objects.set(object, { kind: object, ...ownColour(wanted, i) });
    }
  });
  return [...objects.values()];
}

export function flowerColourOf({ wanted }: PromptReading): { flowerColour?: Colour } {
  const own = ownColour(
    wanted,
    wanted.findIndex(({ meanings }) => meanings.some(isFlower)),
  );
  return own.colour ? { flowerColour: own.colour } : {};
}

/** Natural colours of a place: "a green forest" means a forest, not a green image. */
const NATURAL: readonly (readonly [pattern: RegExp, settings: readonly Setting[]])[] = [
  [/green|olive|emerald|lime/, ['forest', 'meadow', 'mountains', 'river', 'lake', 'island', 'coast']],
  [/blue|azure|turquoise|aqua|teal|cyan/, ['sea', 'lake', 'river', 'beach', 'island', 'coast', 'sky']],
  [/gold|yellow|sand|beige/, ['desert', 'beach', 'canyon']],
  [/orange|red|rust|ochre|terracotta/, ['canyon', 'desert']],
];
const MOST_COLOURS = 5;
/** In these, only the colour of an unknown thing can be drawn. */
const ABSTRACT: ReadonlySet<Setting> = new Set(['flow', 'geometric']);
/** After these words a colour applies to the image: "in teal and orange", "red tones". */
const UNBOUND = new Set(
  'and or with in on at of to over under by near from for as against tone light color colour palette hue glow atmosphere theme mood background haze shade scheme style tint air'.split(
    ' ',
  ),
);

/** The colours that apply to the image as a whole. */
export function coloursOf({ wanted }: PromptReading, setting: Setting): Colour[] {
  const colours = wanted.flatMap((mention, i) => {
    const found = colourIn(mention);
    const next = wanted[i + 1];
    const described = next && isRightBefore(mention, next) ? next.meanings : [];
    if (!found || isTakenUp(found.name, described, setting)) return [];
    return described.length === 0 && isUnknownThing(mention.followedBy) && !ABSTRACT.has(setting) ? [] : [found.colour];
  });
  return colours.slice(0, MOST_COLOURS);
}

/** Whether a colour belongs to what follows it: a thing, an hour, or a place that has it by nature. */
function isTakenUp(name: string, described: readonly Meaning[], setting: Setting): boolean {
  const isNatural = NATURAL.some(([pattern, settings]) => pattern.test(name) && settings.includes(setting));
  return described.some((meaning) => {
    if (meaning.kind === 'setting' || meaning.kind === 'season') return isNatural;
    return meaning.kind === 'subject' || meaning.kind === 'object' || meaning.kind === 'time' || isFlower(meaning);
  });
}

/** "A red fox in a forest" does not mean a red forest. */
function isUnknownThing(word: string): boolean {
  return word !== '' && !UNBOUND.has(word);
}

/** A colour directly before a thing is that thing's colour: "a red boat". */
function ownColour(wanted: readonly Mention[], i: number): { colour?: Colour } {
  const before = wanted[i - 1];
  const mention = wanted[i];
  const named = before && mention && isRightBefore(before, mention) ? colourIn(before) : undefined;
  return named ? { colour: named.colour } : {};
}

function colourIn({ meanings }: Mention): Extract<Meaning, { kind: 'colour' }> | undefined {
  return ofKind(meanings, 'colour')[0];
}

function isFlower(meaning: Meaning): boolean {
  return meaning.kind === 'element' && meaning.element === 'flowers';
}

/** With at most one word between them: "a red wooden boat". */
function isRightBefore(first: Mention, second: Mention): boolean {
  return second.at - (first.at + first.length) <= 1;
}
