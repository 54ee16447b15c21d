/** Counts pieces of work that have begun and not ended, and tells when there are none: a promise for each would cost more. */
export class ActiveWork {
  private count = 0;
  private resolveIdle: () => void = () => undefined;

  get size(): number {
    return this.count;
  }

  begin(): void {
    this.count += 1;
  }

  end(): void {
    this.count -= 1;
    if (this.count === 0) this.resolveIdle();
  }

  async whenIdle(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => (this.resolveIdle = resolve));
  }
}
