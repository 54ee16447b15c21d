import { LEXICON, LONGEST_PHRASE, type Meaning, type Meanings, wordsOf } from './lexicon';

/** A word or phrase of a prompt that is in the lexicon. */
export interface Mention {
  readonly meanings: readonly Meaning[];
  /** Whether the prompt asks to leave it out ("no clouds"). */
  readonly negated: boolean;
  /** The word right after it in its clause, or nothing. */
  readonly followedBy: string;
}

const NEGATIONS = new Set(['no', 'without', 'not', 'minus', 'never', "don't", 'avoid', 'remove']);
/** Words that may stand between a negation and its object: "without any clouds". */
const CARRIERS = new Set(['a', 'an', 'any', 'the', 'visible', 'single']);
/** Words that extend a negation: "no clouds or stars". */
const JOINERS = new Set(['or', 'nor']);

/** Finds the phrases of the lexicon, longest first. No phrase, negation or colour extends across a comma. */
export function readMentions(text: string): Mention[] {
  return text.split(/[,.;:!?()\n]+/).flatMap((clause) => mentionsIn(wordsOf(clause)));
}

function mentionsIn(words: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  let negated = false;
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? '';
    const found = longestEntry(words, at);
    at += found?.length ?? 1;
    if (!found) {
      negated = NEGATIONS.has(word) || (negated && (CARRIERS.has(word) || JOINERS.has(word)));
      continue;
    }
    const { meanings } = found;
    const followedBy = words[at] ?? '';
    mentions.push({ meanings, negated, followedBy });
    // "no red boat" negates the boat.
    negated &&= meanings.every(({ kind }) => kind === 'colour') || JOINERS.has(followedBy);
  }
  return mentions;
}

function longestEntry(
  words: readonly string[],
  at: number,
): { meanings: readonly Meaning[]; length: number } | undefined {
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length);
    const meanings = LEXICON.get(phrase.join(' ')) ?? LEXICON.get(phrase.join(''));
    if (meanings) return { meanings, length };
  }
  return undefined;
}

export function valuesOf<Kind extends keyof Meanings>(mentions: readonly Mention[], kind: Kind): Meanings[Kind][] {
  const meanings = mentions.flatMap((mention) => mention.meanings);
  return meanings.filter((meaning) => meaning.kind === kind).map(({ value }) => value as Meanings[Kind]);
}
