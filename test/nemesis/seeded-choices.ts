import { seeded } from '../bench/gpu/traces';

/** Choices of one seed. */
export class SeededChoices {
  private readonly next: () => number;

  constructor(readonly seed: number) {
    this.next = seeded(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Choice>(from: readonly Choice[]): Choice {
    return from[this.below(from.length)] as Choice;
  }

  /** Each choice with the same chance, and always one by turns, so that a set of seeds has all. */
  subset<Choice>(choices: readonly Choice[], share: number): Choice[] {
    return choices.filter((_, index) => this.chance(share) || index === this.seed % choices.length);
  }
}
