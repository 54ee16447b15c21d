import { letterOfFigure } from './fold-character';
import { type CharacterKind, type FoldedText, SPACE, kindOf } from './folded-text';
import { letterOfSign } from './sign-letters';
import { keepAround } from './words-around';

/** What stands before a letter. Each is more of a border than the one before it. */
export const GAP = {
  none: 0,
  /** Nothing, but a word may begin: a capital after a small letter, a figure beside a letter, a change of script. */
  edge: 1,
  sign: 2,
  space: 3,
} as const;

/** Whether a kind of character is read as letters, divides letters like a sign, or stands for itself. */
export interface Reading {
  figures: 'letters' | 'gaps' | 'figures';
  signs: 'letters' | 'gaps';
}

/** A letter as often as it is repeated in a row. */
export interface Run {
  symbol: number;
  count: number;
  /** Before the first letter. */
  gap: number;
  /** The greatest between two of the letters. */
  innerGap: number;
  /** How many letters stand before the first inner gap, and behind the last. */
  headCount: number;
  tailCount: number;
  /** Where it lies in the folded text. */
  from: number;
  to: number;
}

const NOT_A_LETTER = -1;
const ENDS_SENTENCE = new Set(Array.from('.,;:!?)\'"', (sign) => sign.charCodeAt(0)));

/** A part of a folded text. */
export interface Part {
  from: number;
  to: number;
}

/** The runs of letters of a text, or of some parts of it, as they are under one reading. */
export function toRuns(text: FoldedText, reading: Reading, parts: readonly Part[]): Run[] {
  const runs: Run[] = [];
  for (const part of parts) addRuns(runs, { text, reading, part });
  return runs;
}

/** The words in which figures or signs may be letters, with those around them; what ends a sentence is no letter. */
export function disguisedParts({ codes }: FoldedText): Part[] {
  const words = wordsOf(codes);
  const kept = keepAround(
    words.map(({ from, to }) => ({ isUnusual: hasDisguise(codes, from, to), isSingle: to - from === 1 })),
  );
  const parts: Part[] = [];
  words.forEach(({ from, to }, index) => {
    const last = parts.at(-1);
    if (kept[index] !== true) return;
    if (last && kept[index - 1] === true) last.to = to;
    else parts.push({ from, to });
  });
  return parts;
}

function wordsOf(codes: readonly number[]): Part[] {
  const words: Part[] = [];
  let from = 0;
  for (let at = 0; at <= codes.length; at++) {
    if (at < codes.length && codes[at] !== SPACE) continue;
    if (at > from) words.push({ from, to: at });
    from = at + 1;
  }
  return words;
}

function hasDisguise(codes: readonly number[], from: number, to: number): boolean {
  let end = to;
  while (end - from > 1 && ENDS_SENTENCE.has(codes[end - 1] ?? SPACE)) end -= 1;
  for (let at = from; at < end; at++) {
    const code = codes[at] ?? SPACE;
    const kind = kindOf(code);
    if (kind === 'figure' || (kind === 'sign' && letterOfSign(code) !== null)) return true;
  }
  return false;
}

function addRuns(runs: Run[], { text, reading, part }: { text: FoldedText; reading: Reading; part: Part }): void {
  let gap: number = GAP.space;
  let before: CharacterKind | null = null;
  for (let index = part.from; index < part.to; index++) {
    const code = text.codes[index] ?? SPACE;
    const kind = kindOf(code);
    const symbol = symbolOf(code, kind, reading);
    if (symbol === NOT_A_LETTER) {
      gap = kind === 'space' ? GAP.space : Math.max(gap, GAP.sign);
      before = null;
      continue;
    }
    if (before !== null && (before !== kind || text.humps[index] === true)) gap = Math.max(gap, GAP.edge);
    addLetter(runs, { symbol, gap, index });
    gap = GAP.none;
    before = kind;
  }
}

/** `l` and `i` share the figure 1 and the bar, and the capital of one is the other: they are taken for one letter. */
export function mergeLikeLetters(code: number): number {
  return code === 0x6c ? 0x69 : code;
}

function addLetter(runs: Run[], { symbol, gap, index }: { symbol: number; gap: number; index: number }): void {
  const last = runs[runs.length - 1];
  if (last?.symbol !== symbol) {
    runs.push({ symbol, count: 1, gap, innerGap: GAP.none, headCount: 1, tailCount: 1, from: index, to: index + 1 });
    return;
  }
  last.count += 1;
  last.to = index + 1;
  last.tailCount = gap === GAP.none ? last.tailCount + 1 : 1;
  last.innerGap = Math.max(last.innerGap, gap);
  if (last.innerGap === GAP.none) last.headCount += 1;
}

function symbolOf(code: number, kind: CharacterKind, { figures, signs }: Reading): number {
  switch (kind) {
    case 'letter':
    case 'unspaced letter':
      return mergeLikeLetters(code);
    case 'figure':
      if (figures === 'gaps') return NOT_A_LETTER;
      return figures === 'figures' ? code : mergeLikeLetters(letterOfFigure(String.fromCharCode(code)).charCodeAt(0));
    case 'sign':
      return signs === 'letters' ? (letterOfSign(code) ?? NOT_A_LETTER) : NOT_A_LETTER;
    case 'space':
      return NOT_A_LETTER;
  }
}
