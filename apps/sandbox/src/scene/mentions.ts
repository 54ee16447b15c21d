import { LEXICON, LONGEST_PHRASE, type Meaning } from './lexicon';
import { wordsOf } from './words';

/** A word or phrase of a prompt that the lexicon knows. */
export interface Mention {
  readonly meanings: readonly Meaning[];
  /** Whether the prompt asks to leave it out ("no clouds"). */
  readonly negated: boolean;
  /** Place of its first word, and how many words it has. */
  readonly at: number;
  readonly length: number;
}

const NEGATIONS = new Set(['no', 'without', 'not', 'minus', 'never', "don't", 'avoid', 'remove']);
/** Words that a negation reaches across: "without any clouds or birds". */
const CARRIERS = new Set(['a', 'an', 'any', 'the', 'or', 'nor', 'visible', 'single']);

/** Finds what the lexicon knows, longest phrases first. */
export function readMentions(text: string): Mention[] {
  const words = wordsOf(text);
  const mentions: Mention[] = [];
  let negated = false;
  for (let at = 0; at < words.length;) {
    const found = longestEntry(words, at);
    if (found) {
      mentions.push({ meanings: found.meanings, negated, at, length: found.length });
      at += found.length;
      continue;
    }
    const word = words[at] ?? '';
    if (NEGATIONS.has(word)) negated = true;
    else if (!CARRIERS.has(word)) negated = false;
    at += 1;
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
