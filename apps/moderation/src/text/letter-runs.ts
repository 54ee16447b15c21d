import { letterOfFigure } from './fold-character';
import { type FoldedText, KIND, SPACE, kindOf } from './folded-text';
import { letterOfSign } from './sign-letters';

/** What stands before a letter, ordered from the weakest to the strongest boundary. */
export const GAP = {
  none: 0,
  /** A possible start of a word: a capital after a small letter, a number beside a letter, a change of script. */
  edge: 1,
  figure: 2,
  sign: 3,
  space: 4,
} as const;

/** Local constants for speed, because they are tested at every character of every reading. */
const { figure: FIGURE_KIND, letter: LETTER_KIND, space: SPACE_KIND } = KIND;
const NOT_A_LETTER = -1;
const NOT_READ_YET = -2;
const CACHED_CODE_POINTS = 0x10000;

/** One way to read a text: whether a kind of character is a letter, separates letters, or stands for itself. */
export class Reading {
  private readonly symbols = new Int32Array(CACHED_CODE_POINTS).fill(NOT_READ_YET);

  constructor(
    private readonly figures: 'letters' | 'gaps' | 'figures',
    private readonly signs: 'letters' | 'gaps',
  ) {}

  /** The letter that the character is read as, or a value for none. */
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

export interface Part {
  from: number;
  to: number;
}

/**
 * The letters of a text, or of some parts of it, under one reading. A run is a letter with its repetitions. The runs are in
 * typed arrays, because thousands of small objects for each reading cost more than the search. The arrays are reused for the
 * next reading and the next text.
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

  /** Replaces the runs of the previous text. */
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

  /** The gap before the first letter of the run; a space after the last run. */
  gapAt(run: number): number {
    return run < this.length ? (this.gaps[run] ?? GAP.space) : GAP.space;
  }

  innerGapAt(run: number): number {
    return run < this.length ? (this.innerGaps[run] ?? GAP.none) : GAP.none;
  }

  /** The number of letters before the first inner gap. */
  headCountAt(run: number): number {
    return this.headCounts[run] ?? 0;
  }

  /** The number of letters after the last inner gap. */
  tailCountAt(run: number): number {
    return this.tailCounts[run] ?? 0;
  }

  /** The position of the run in the folded text. */
  fromAt(run: number): number {
    return this.froms[run] ?? 0;
  }

  toAt(run: number): number {
    return this.tos[run] ?? 0;
  }

  /** Whether the run is written with a letter, rather than with a figure or a sign that is read as one. */
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
      // A letter that begins the next word does not change the role of a figure at the end of this one.
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
 * Whether an adjacent figure and letter belong to one word. A number at the start or end of a word does not. The alternating
 * figures and letters of an id are no word boundaries.
 */
function isFigureInWord(kinds: Uint8Array, at: number, isNumberBefore: boolean): boolean {
  if (kinds[at - 1] === FIGURE_KIND) return !isNumberBefore;
  if (kinds[at] !== FIGURE_KIND) return false;
  let end = at;
  while (kinds[end] === FIGURE_KIND) end += 1;
  return kinds[end] === LETTER_KIND;
}

/** `l` and `i` are merged, because both look like the figure 1 and the bar, and the capital of one like the other. */
export function mergeLikeLetters(code: number): number {
  return code === 0x6c ? 0x69 : code;
}
