import { LEXICON, LONGEST_PHRASE, type Meaning } from './lexicon';
import { wordsOf } from './words';

/** A word or phrase of a prompt that is in the lexicon. */
export interface Mention {
  readonly meanings: readonly Meaning[];
  /** Whether the prompt asks to leave it out ("no clouds"). */
  readonly negated: boolean;
  /** The index of its first word, and its number of words. */
  readonly at: number;
  readonly length: number;
  /** The word right after it in its clause, or nothing. */
  readonly followedBy: string;
}

const NEGATIONS = new Set(['no', 'without', 'not', 'minus', 'never', "don't", 'avoid', 'remove']);
/** Words that may stand between a negation and its object: "without any clouds". */
const CARRIERS = new Set(['a', 'an', 'any', 'the', 'visible', 'single']);
/** Words that extend a negation: "no clouds or birds". */
const JOINERS = new Set(['or', 'nor']);
/** No phrase, no negation and no colour extends across a comma; word indexes continue after it, with a gap. */
const CLAUSE_END = /[,.;:!?()\n]+/;
const CLAUSE_GAP = 4;

/** Finds the phrases of the lexicon, longest first. */
export function readMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  let start = 0;
  for (const clause of text.split(CLAUSE_END)) {
    const words = wordsOf(clause);
    mentions.push(...mentionsIn(words).map((mention) => ({ ...mention, at: mention.at + start })));
    start += words.length + CLAUSE_GAP;
  }
  return mentions;
}

function mentionsIn(words: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  let negated = false;
  for (let at = 0; at < words.length;) {
    const found = longestEntry(words, at);
    const word = words[at] ?? '';
    if (found) {
      const followedBy = words[at + found.length] ?? '';
      mentions.push({ ...found, negated, at, followedBy });
      // "no red boat" negates the boat.
      const isColour = found.meanings.every(({ kind }) => kind === 'colour');
      negated = negated && (isColour || JOINERS.has(followedBy));
    } else {
      negated = NEGATIONS.has(word) || (negated && (CARRIERS.has(word) || JOINERS.has(word)));
    }
    at += found?.length ?? 1;
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
