import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const FOLDER = path.join(__dirname, '../../assets/lexicon');

/** The harmless text that every set of engines must block, so that no test needs real abuse. */
export const TEST_TEXT = 'KINORA-MODERATION-TEST-BLOCK';
/** What a decision records of a block by it. */
export const TEST_TEXT_REASON = 'test_text';

/** What a term says of a text that holds it. Nothing but `blocked` says enough alone. */
export type TermKind =
  | 'blocked'
  | 'minor'
  /** Of somebody young, or not so young: counts near to what is sexual. */
  | 'minor_nearby'
  | 'sexual'
  /** Of what is sexual beside the right words: counts near to a minor. */
  | 'sexual_nearby'
  /** A phrase in which such a word means something else. */
  | 'innocent'
  /** A common word that may be written together with others. */
  | 'common'
  | AgeKind;

/** The words around a figure that make it an age. */
export type AgeKind =
  | 'after_number'
  | 'small_after_number'
  | 'after_ordinal'
  | 'before_number'
  /** Of somebody, so that a number alone is an age, unless it counts or measures. */
  | 'before_bare_number'
  | 'limits'
  /** Of a birth, and its year. */
  | 'before_year'
  | 'after_year'
  /** An age in one word. */
  | 'whole'
  /** Number words up to seventeen. */
  | 'numbers'
  | 'ordinals'
  /** Where somebody is not yet so old. */
  | 'eighteen'
  /** Number words that make a small one behind them large: twenty-five. */
  | 'tens'
  /** What is bought and admired at that age. */
  | 'things';

export interface LexiconTerm {
  text: string;
  kind: TermKind;
  /** What the decision records of a blocked term; never the text. */
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

/** The terms of all languages that the service comes with. */
export function readLexicon(): Lexicon {
  const languages = readdirSync(FOLDER).map(
    (file) => parse(readFileSync(path.join(FOLDER, file), 'utf8')) as LanguageFile,
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
