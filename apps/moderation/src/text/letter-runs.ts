import { letterOfFigure } from './fold-character';
import { type FoldedText, KIND, SPACE, kindOf } from './folded-text';
import { letterOfSign } from './sign-letters';

/** What stands before a letter. Each is more of a border than the one before it. */
export const GAP = {
  none: 0,
  /** Nothing, but a word may begin: a capital after a small letter, a number beside a letter, a change of script. */
  edge: 1,
  figure: 2,
  sign: 3,
  space: 4,
} as const;

/** Of their own, because they are asked for at every character of every reading. */
const { figure: FIGURE_KIND, letter: LETTER_KIND, space: SPACE_KIND } = KIND;
const NOT_A_LETTER = -1;
const NOT_READ_YET = -2;
const CACHED_CODE_POINTS = 0x10000;

/** One way to read a text: whether a kind of character is read as letters, divides letters, or stands for itself. */
export class Reading {
  private readonly symbols = new Int32Array(CACHED_CODE_POINTS).fill(NOT_READ_YET);

  constructor(
    private readonly figures: 'letters' | 'gaps' | 'figures',
    private readonly signs: 'letters' | 'gaps',
  ) {}

  /** The letter that a character is, if it is one. */
  symbolOf(code: number): number {
    const known = this.symbols[code];
    if (known !== undefined && known !== NOT_READ_YET) return known;
    const symbol = this.read(code);
    if (code < CACHED_CODE_POINTS) this.symbols[code] = symbol;
    return symbol;
  }

  private read(code: number): number {
    switch (kindOf(code)) {
      case KIND.letter:
      case KIND.unspacedLetter:
        return mergeLikeLetters(code);
      case KIND.figure:
        if (this.figures === 'gaps') return NOT_A_LETTER;
        return this.figures === 'figures'
          ? code
          : mergeLikeLetters(letterOfFigure(String.fromCharCode(code)).charCodeAt(0));
      case KIND.sign:
        return this.signs === 'letters' ? (letterOfSign(code) ?? NOT_A_LETTER) : NOT_A_LETTER;
      case KIND.space:
        return NOT_A_LETTER;
    }
  }
}

/** A part of a folded text. */
export interface Part {
  from: number;
  to: number;
}

/**
 * The letters of a text, or of some parts of it, under one reading. A run is a letter as often as it is repeated in a
 * row; the runs lie in arrays of numbers, because thousands of small objects for each reading cost more than the search.
 * They are used again for the next reading and the next text.
 */
export class LetterRuns {
  length = 0;
  symbols = new Int32Array(0);
  private counts = new Uint32Array(0);
  private gaps = new Uint8Array(0);
  private innerGaps = new Uint8Array(0);
  private headCounts = new Uint32Array(0);
  private tailCounts = new Uint32Array(0);
  private froms = new Uint32Array(0);
  private tos = new Uint32Array(0);
  private ownLetters = new Uint8Array(0);

  /** In the place of what was read before. */
  read(reading: Reading, text: FoldedText, parts: readonly Part[]): void {
    this.length = 0;
    if (text.codes.length > this.symbols.length) this.grow(text.codes.length);
    for (const part of parts) this.readPart(reading, text, part);
  }

  private grow(most: number): void {
    this.symbols = new Int32Array(most);
    this.counts = new Uint32Array(most);
    this.gaps = new Uint8Array(most);
    this.innerGaps = new Uint8Array(most);
    this.headCounts = new Uint32Array(most);
    this.tailCounts = new Uint32Array(most);
    this.froms = new Uint32Array(most);
    this.tos = new Uint32Array(most);
    this.ownLetters = new Uint8Array(most);
  }

  symbolAt(run: number): number {
    return run < this.length ? (this.symbols[run] ?? NOT_A_LETTER) : NOT_A_LETTER;
  }

  countAt(run: number): number {
    return run < this.length ? (this.counts[run] ?? 0) : 0;
  }

  /** Before the first letter; a space behind the last run. */
  gapAt(run: number): number {
    return run < this.length ? (this.gaps[run] ?? GAP.space) : GAP.space;
  }

  /** The greatest between two of the letters. */
  innerGapAt(run: number): number {
    return run < this.length ? (this.innerGaps[run] ?? GAP.none) : GAP.none;
  }

  /** How many letters stand before the first inner gap. */
  headCountAt(run: number): number {
    return this.headCounts[run] ?? 0;
  }

  /** How many letters stand behind the last inner gap. */
  tailCountAt(run: number): number {
    return this.tailCounts[run] ?? 0;
  }

  /** Where it begins in the folded text. */
  fromAt(run: number): number {
    return this.froms[run] ?? 0;
  }

  toAt(run: number): number {
    return this.tos[run] ?? 0;
  }

  /** Whether it is written with a letter, rather than with a figure or a sign that is read as one. */
  isOwnLetterAt(run: number): boolean {
    return this.ownLetters[run] === 1;
  }

  private readPart(reading: Reading, { codes, kinds, humps }: FoldedText, { from, to }: Part): void {
    let gap: number = GAP.space;
    let before: number | null = null;
    let isNumber = true;
    for (let at = from; at < to; at++) {
      const code = codes[at] ?? SPACE;
      const symbol = reading.symbolOf(code);
      const kind = kinds[at] ?? SPACE_KIND;
      if (symbol === NOT_A_LETTER) {
        gap = Math.max(gap, gapOf(kind));
        before = null;
        isNumber = true;
        continue;
      }
      if (before !== null && (humps[at] === 1 || (before !== kind && !isFigureInWord(kinds, at, isNumber)))) {
        gap = Math.max(gap, GAP.edge);
      }
      const isNew = this.length === 0 || this.symbols[this.length - 1] !== symbol;
      if (isNew) this.add(symbol, gap, at);
      else this.repeat(gap, at);
      // A letter that begins the next word says nothing of a figure that ends this one.
      if (symbol === mergeLikeLetters(code) && (gap <= GAP.edge || isNew)) this.ownLetters[this.length - 1] = 1;
      gap = GAP.none;
      before = kind;
      isNumber &&= kind === FIGURE_KIND;
    }
  }

  private add(symbol: number, gap: number, at: number): void {
    const run = this.length++;
    this.symbols[run] = symbol;
    this.counts[run] = this.headCounts[run] = this.tailCounts[run] = 1;
    this.gaps[run] = gap;
    this.innerGaps[run] = GAP.none;
    this.froms[run] = at;
    this.tos[run] = at + 1;
    this.ownLetters[run] = 0;
  }

  private repeat(gap: number, at: number): void {
    const run = this.length - 1;
    const count = (this.counts[run] ?? 0) + 1;
    this.counts[run] = count;
    this.tos[run] = at + 1;
    this.tailCounts[run] = gap === GAP.none ? (this.tailCounts[run] ?? 0) + 1 : 1;
    this.innerGaps[run] = Math.max(this.innerGaps[run] ?? GAP.none, gap);
    if (this.innerGaps[run] === GAP.none) this.headCounts[run] = count;
  }
}

function gapOf(kind: number): number {
  if (kind === SPACE_KIND) return GAP.space;
  return kind === FIGURE_KIND ? GAP.figure : GAP.sign;
}

/**
 * Whether a figure and a letter that stand side by side are letters of one word. A number that begins or ends a word is
 * none of its letters, but those of an id, which is figures and letters by turns, are no borders of words.
 */
function isFigureInWord(kinds: Uint8Array, at: number, isNumberBefore: boolean): boolean {
  if (kinds[at - 1] === FIGURE_KIND) return !isNumberBefore;
  if (kinds[at] !== FIGURE_KIND) return false;
  let end = at;
  while (kinds[end] === FIGURE_KIND) end += 1;
  return kinds[end] === LETTER_KIND;
}

/** `l` and `i` share the figure 1 and the bar, and the capital of one is the other: they are taken for one letter. */
export function mergeLikeLetters(code: number): number {
  return code === 0x6c ? 0x69 : code;
}
