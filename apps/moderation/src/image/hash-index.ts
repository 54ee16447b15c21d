import { type PerceptualHash, countBits } from './perceptual-hash';

const WORDS = 8;
/** Sixteen slices of sixteen bits: two hashes that differ in d bits have a slice that differs in at most d / 16 bits. */
const SLICES = 16;
const SLICE_BITS = 16;
const SLICE_VALUES = 2 ** SLICE_BITS;
/** Below this number, a linear comparison is faster than a lookup in all slices. */
const MIN_HASHES_TO_INDEX = 4_096;

/** For one slice, the numbers of the hashes grouped by the value of the slice. */
interface SliceTable {
  starts: Uint32Array;
  numbers: Uint32Array;
}

/** Finds whether a list holds a hash within a Hamming distance, without comparing all hashes (multi-index hashing). */
export class HashIndex {
  readonly size: number;
  /** Eight words a hash in one array: a million small arrays would be slower and take three times the memory. */
  private readonly words: Uint32Array;
  private readonly slices: readonly SliceTable[];
  private readonly differences: readonly number[];

  /** @param maxDistanceBits the largest Hamming distance that matches */
  constructor(
    hashes: readonly PerceptualHash[],
    private readonly maxDistanceBits: number,
  ) {
    this.size = hashes.length;
    this.words = new Uint32Array(this.size * WORDS);
    hashes.forEach((hash, number) => this.words.set(hash, number * WORDS));
    const isIndexed = this.size >= MIN_HASHES_TO_INDEX;
    this.slices = isIndexed ? Array.from({ length: SLICES }, (_, slice) => this.tableOf(slice)) : [];
    this.differences = isIndexed ? valuesOfAtMost(Math.floor(maxDistanceBits / SLICES)) : [];
  }

  hasNear(hash: PerceptualHash): boolean {
    if (this.slices.length > 0) return this.slices.some((table, slice) => this.hasNearInSlice(hash, slice, table));
    for (let number = 0; number < this.size; number++) if (this.isNear(number, hash)) return true;
    return false;
  }

  private hasNearInSlice(hash: PerceptualHash, slice: number, { starts, numbers }: SliceTable): boolean {
    const value = sliceOf(hash, 0, slice);
    for (const difference of this.differences) {
      const near = value ^ difference;
      const end = starts[near + 1] ?? 0;
      for (let at = starts[near] ?? 0; at < end; at++) if (this.isNear(numbers[at] ?? 0, hash)) return true;
    }
    return false;
  }

  /** Stops counting as soon as the distance exceeds the bound. */
  private isNear(number: number, hash: PerceptualHash): boolean {
    let distance = 0;
    for (let word = 0; word < WORDS && distance <= this.maxDistanceBits; word++) {
      distance += countBits((this.words[number * WORDS + word] ?? 0) ^ (hash[word] ?? 0));
    }
    return distance <= this.maxDistanceBits;
  }

  private tableOf(slice: number): SliceTable {
    const starts = new Uint32Array(SLICE_VALUES + 1);
    const valueOf = (number: number): number => sliceOf(this.words, number, slice);
    for (let number = 0; number < this.size; number++) add(starts, valueOf(number) + 1, 1);
    for (let value = 0; value < SLICE_VALUES; value++) add(starts, value + 1, starts[value] ?? 0);
    const next = starts.slice();
    const numbers = new Uint32Array(this.size);
    for (let number = 0; number < this.size; number++) {
      const value = valueOf(number);
      numbers[next[value] ?? 0] = number;
      add(next, value, 1);
    }
    return { starts, numbers };
  }
}

function sliceOf(words: Uint32Array, number: number, slice: number): number {
  const word = words[number * WORDS + (slice >> 1)] ?? 0;
  return slice % 2 === 0 ? word & (SLICE_VALUES - 1) : word >>> SLICE_BITS;
}

/** All slice values with at most `bits` bits set, as XOR masks for neighbouring slice values. */
function valuesOfAtMost(bits: number): number[] {
  return Array.from({ length: SLICE_VALUES }, (_, value) => value).filter((value) => countBits(value) <= bits);
}

function add(counts: Uint32Array, at: number, count: number): void {
  counts[at] = (counts[at] ?? 0) + count;
}
