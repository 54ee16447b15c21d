/** One read at a time, for all that ask while its result is fresh. A failed read is repeated by the next that asks. */
export class CachedRead<Value> {
  private value: Promise<Value> | null = null;
  private isReading = false;
  private readAtMs = 0;

  constructor(
    private readonly freshMs: number,
    private readonly read: () => Promise<Value>,
  ) {}

  get(): Promise<Value> {
    // A slow read is not joined by a second one: under load, reads would pile up.
    if (this.value && (this.isReading || performance.now() - this.readAtMs < this.freshMs)) return this.value;
    const value = this.read();
    this.readAtMs = performance.now();
    this.isReading = true;
    this.value = value;
    value.then(
      () => (this.isReading = false),
      () => {
        this.isReading = false;
        this.value = null;
      },
    );
    return value;
  }
}
