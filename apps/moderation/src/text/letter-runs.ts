import { letterOfFigure } from './fold-character';
import { type CharacterKind, type FoldedText, SPACE, kindOf } from './folded-text';
import { letterOfSign } from './sign-letters';

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

/** The runs of letters of a text, as they are under one reading. */
export function toRuns({ codes, humps }: FoldedText, reading: Reading): Run[] {
  const runs: Run[] = [];
  let gap: number = GAP.space;
  let before: CharacterKind | null = null;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? SPACE;
    const kind = kindOf(code);
    const symbol = symbolOf(code, kind, reading);
    if (symbol === NOT_A_LETTER) {
      gap = kind === 'space' ? GAP.space : Math.max(gap, GAP.sign);
      before = null;
      continue;
    }
    if (before !== null && (before !== kind || humps[index] === true)) gap = Math.max(gap, GAP.edge);
    addLetter(runs, { symbol, gap, index });
    gap = GAP.none;
    before = kind;
  }
  return runs;
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
