/** Counts pieces of work that have begun and not ended, and tells when there are none: a promise for each would cost more. */
export class WorkInHand {
  private count = 0;
  private tellNone: () => void = () => undefined;

  get size(): number {
    return this.count;
  }

  begin(): void {
    this.count += 1;
  }

  end(): void {
    this.count -= 1;
    if (this.count === 0) this.tellNone();
  }

  async untilNone(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => (this.tellNone = resolve));
  }
}
