/** Counts pieces of work under way, and resolves when there are none. One counter costs less than a promise for each piece. */
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
