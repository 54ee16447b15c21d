import { type FoldedText, SPACE, kindOf } from './folded-text';
import type { Part } from './letter-runs';
import { letterOfSign } from './sign-letters';
import { type Word, keepAround } from './words-around';

const ENDS_SENTENCE = new Set(Array.from('.,;:!?)\'"', (sign) => sign.charCodeAt(0)));

/** The words in which figures or signs may be letters, with those around them; what ends a sentence is no letter. */
export function disguisedParts({ codes }: FoldedText): Part[] {
  const words = wordsOf(codes);
  const kept = keepAround(words);
  const parts: Part[] = [];
  words.forEach(({ from, to }, index) => {
    const last = parts.at(-1);
    if (kept[index] !== true) return;
    if (last && kept[index - 1] === true) last.to = to;
    else parts.push({ from, to });
  });
  return parts;
}

function wordsOf(codes: Uint32Array): (Part & Word)[] {
  const words: (Part & Word)[] = [];
  let from = 0;
  for (let at = 0; at <= codes.length; at++) {
    if (at < codes.length && codes[at] !== SPACE) continue;
    if (at > from) words.push({ from, to: at, isUnusual: hasDisguise(codes, from, at), isSingle: at - from === 1 });
    from = at + 1;
  }
  return words;
}

function hasDisguise(codes: Uint32Array, from: number, to: number): boolean {
  let end = to;
  while (end - from > 1 && ENDS_SENTENCE.has(codes[end - 1] ?? SPACE)) end -= 1;
  for (let at = from; at < end; at++) {
    const code = codes[at] ?? SPACE;
    const kind = kindOf(code);
    if (kind === 'figure' || (kind === 'sign' && letterOfSign(code) !== null)) return true;
  }
  return false;
}
