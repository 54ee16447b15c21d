import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Dictionary words only: of age, and neutral or clinical ones of sex and nudity. Neither kind blocks anything alone. As YAML, reading
 * the files would take 0.3 s of processor time at each start.
 */
const FOLDER = path.join(__dirname, '../../assets/lexicon');

/** The harmless text that every installation must block, so that no test needs real abuse material. */
export const TEST_TEXT = 'KINORA-MODERATION-TEST-BLOCK';
/** The reason code of a decision that blocked this text. */
export const TEST_TEXT_REASON = 'test_text';

/** The effect of a term on a text that contains it. Only `blocked` is sufficient alone. */
export type TermKind =
  | 'blocked'
  | 'minor'
  /** A word for a young person, or possibly so: counts near a sexual term. */
  | 'minor_nearby'
  | 'sexual'
  /** A word that is sexual in some contexts: counts near a minor. */
  | 'sexual_nearby'
  /** A phrase in which such a word has another meaning. */
  | 'innocent'
  /** A common word that may be written together with other words. */
  | 'common'
  | AgeKind;

/** The words around a figure that make it an age. */
export type AgeKind =
  | 'after_number'
  | 'small_after_number'
  | 'after_ordinal'
  | 'before_number'
  /** A word for a person, after which a number alone is an age, unless it counts or measures. */
  | 'before_bare_number'
  | 'limits'
  /** A word for a birth, with its year. */
  | 'before_year'
  | 'after_year'
  /** An age in one word. */
  | 'whole'
  /** Number words up to seventeen. */
  | 'numbers'
  | 'ordinals'
  /** A phrase for being younger than eighteen. */
  | 'eighteen'
  /** Number words that turn a small one after them into a large one: twenty-five. */
  | 'tens'
  /** Products for which an age is a quality, such as whisky. */
  | 'things';

export interface LexiconTerm {
  text: string;
  kind: TermKind;
  /** The reason code of a blocked term; decisions never store the text. */
  reason?: string;
}

export interface Lexicon {
  terms: readonly LexiconTerm[];
  /** Words so short and common that two of them side by side are no disguise of a term. */
  shortWords: readonly string[];
}

const WORD_KINDS = ['minor', 'minor_nearby', 'sexual', 'sexual_nearby', 'innocent', 'common'] as const;
const AGE_KINDS = [
  'after_number',
  'small_after_number',
  'after_ordinal',
  'before_number',
  'before_bare_number',
  'limits',
  'before_year',
  'after_year',
  'whole',
  'numbers',
  'ordinals',
  'eighteen',
  'tens',
  'things',
] as const;

type LanguageFile = Partial<Record<(typeof WORD_KINDS)[number] | 'short_words', string[]>> & {
  ages?: Partial<Record<AgeKind, string[]>>;
};

/** The built-in terms of all languages. */
export function readLexicon(): Lexicon {
  const languages = readdirSync(FOLDER).map(
    (file) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as LanguageFile,
  );
  return {
    terms: [{ kind: 'blocked', text: TEST_TEXT, reason: TEST_TEXT_REASON }, ...languages.flatMap(termsOf)],
    shortWords: languages.flatMap(({ short_words = [] }) => short_words),
  };
}

function termsOf({ ages, ...words }: LanguageFile): LexiconTerm[] {
  return [
    ...WORD_KINDS.flatMap((kind) => (words[kind] ?? []).map((text) => ({ kind, text }))),
    ...AGE_KINDS.flatMap((kind) => (ages?.[kind] ?? []).map((text) => ({ kind, text }))),
  ];
}
