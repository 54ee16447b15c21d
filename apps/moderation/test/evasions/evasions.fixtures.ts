import { ENCODING_EVASIONS } from './encoding-evasions.fixtures';
import { GAP_EVASIONS } from './gap-evasions.fixtures';
import { LETTER_EVASIONS } from './letter-evasions.fixtures';
import { type Random, pick, seededRandom } from './random.fixtures';
import { SPELLING_EVASIONS } from './spelling-evasions.fixtures';

/** A text that must be blocked. */
export interface Variant {
  evasion: string;
  text: string;
}

type Evasion = (word: string, random: Random) => string;

/** The order of application: the letters of encoded text are not changed further. */
const LAYERS: readonly Readonly<Record<string, Evasion>>[] = [
  SPELLING_EVASIONS,
  LETTER_EVASIONS,
  GAP_EVASIONS,
  ENCODING_EVASIONS,
];
/** A code for the letters from a to z cannot encode others. */
const ONLY_FOR_LATIN = [
  'Morse code',
  'names of letters',
  'places in the alphabet',
  'upside down',
  'upside down, from left to right',
];
/** Pairs that together remove more than a reader could restore: missing letters and separated letters. */
const NO_READER_LEFT: readonly (readonly [first: RegExp, second: RegExp])[] = [
  [
    /hidden|exchanged|vowels|sounds|Latin|letter more/,
    /apart|spaced|between|dotted|hyphen|underscore|signs|top|cut|doubled|repeated|Markdown|columns|upside/,
  ],
  [/common word|letter more/, /upside|look like one/],
  [/hidden/, /^(?!quoted|in the|zero|soft|direction|isolated|control)/],
  [/backwards|letters?,|one letter$|thirteen|mirrored|Latin|sounds/, /upside|override|look like one|drawn/],
  [
    /for letters|drawn with signs|currency/,
    /figures between|signs|dotted|hyphen|under|sign$|Markdown|columns|file name|hashtag|quoted|Camel/,
  ],
  [/drawn with signs/, /HTML|combining|pictures|override|Morse|spaced|top|tabs|doubled|repeated|cut|control|Hangul/],
  [/Chinese|Thai/, /Camel/],
];

export const SINGLE_EVASIONS: readonly string[] = LAYERS.flatMap((layer) => Object.keys(layer));

/** Each evasion alone, applied to each text. */
export function singleVariants(words: readonly string[], rounds: number, seed: number): Variant[] {
  const random = seededRandom(seed);
  return LAYERS.flatMap((layer) =>
    Object.entries(layer).flatMap(([evasion, apply]) =>
      words.flatMap((word) => Array.from({ length: rounds }, () => ({ evasion, text: apply(word, random) }))),
    ),
  );
}

/** Two evasions of different kinds, one after the other, each pair for some word. */
export function composedVariants(words: readonly string[], rounds: number, seed: number): Variant[] {
  const random = seededRandom(seed);
  return pairs().flatMap(([first, second]) =>
    Array.from({ length: rounds }, () => ({
      evasion: `${first.name}, then ${second.name}`,
      text: second.apply(first.apply(pick(words, random), random), random),
    })),
  );
}

interface Named {
  name: string;
  apply: Evasion;
}

function pairs(): [Named, Named][] {
  const layers = LAYERS.map((layer) => Object.entries(layer).map(([name, apply]) => ({ name, apply })));
  return layers.flatMap((layer, index) =>
    layer.flatMap((first) =>
      layers
        .slice(index + 1)
        .flat()
        .filter((second) => isReadable(first.name, second.name, index))
        .map((second): [Named, Named] => [first, second]),
    ),
  );
}

function isReadable(first: string, second: string, layer: number): boolean {
  if (layer > 0 && ONLY_FOR_LATIN.includes(second)) return false;
  return !NO_READER_LEFT.some(([hidden, among]) => hidden.test(first) && among.test(second));
}
