import { type FoldedText, KIND, SPACE } from './folded-text';
import type { Part } from './letter-runs';
import { letterOfSign } from './sign-letters';
import { type Word, keepAround } from './words-around';

const ENDS_SENTENCE = new Set(Array.from('.,;:!?)\'"', (sign) => sign.charCodeAt(0)));

/** A part of the text, with what may be letters in it. */
export interface DisguisedPart extends Part {
  hasFigures: boolean;
  hasSigns: boolean;
}

/**
 * The words in which figures or signs may be letters, with the words around them. Punctuation at the end of a sentence is no
 * letter.
 */
export function disguisedParts({ codes, kinds }: FoldedText): DisguisedPart[] {
  if (!kinds.some(isFigureOrSign)) return [];
  const words = wordsOf(codes, kinds);
  const kept = keepAround(words);
  const parts: DisguisedPart[] = [];
  words.forEach(({ from, to, hasFigures, hasSigns }, index) => {
    const last = parts.at(-1);
    if (kept[index] !== true) return;
    if (last && kept[index - 1] === true) {
      last.to = to;
      last.hasFigures ||= hasFigures;
      last.hasSigns ||= hasSigns;
    } else parts.push({ from, to, hasFigures, hasSigns });
  });
  return parts;
}

function isFigureOrSign(kind: number): boolean {
  return kind === KIND.figure || kind === KIND.sign;
}

function wordsOf(codes: Uint32Array, kinds: Uint8Array): (DisguisedPart & Word)[] {
  const words: (DisguisedPart & Word)[] = [];
  let from = 0;
  for (let at = 0; at <= codes.length; at++) {
    if (at < codes.length && codes[at] !== SPACE) continue;
    if (at > from) words.push(toWord(codes, kinds, from, at));
    from = at + 1;
  }
  return words;
}

function toWord(codes: Uint32Array, kinds: Uint8Array, from: number, to: number): DisguisedPart & Word {
  let end = to;
  while (end - from > 1 && ENDS_SENTENCE.has(codes[end - 1] ?? SPACE)) end -= 1;
  let hasFigures = false;
  let hasSigns = false;
  for (let at = from; at < end; at++) {
    if (kinds[at] === KIND.figure) hasFigures = true;
    else if (kinds[at] === KIND.sign && letterOfSign(codes[at] ?? SPACE) !== null) hasSigns = true;
  }
  return { from, to, hasFigures, hasSigns, isUnusual: hasFigures || hasSigns, isSingle: to - from === 1 };
}
