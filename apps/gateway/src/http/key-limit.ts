/** Counts what each API key has open at this process, up to a limit. */
export class KeyLimit {
  private readonly open = new Map<string, number>();

  constructor(readonly max: number) {}

  /** False where the key has reached the limit; nothing is counted then. */
  take(keyId: string): boolean {
    const count = this.open.get(keyId) ?? 0;
    if (count >= this.max) return false;
    this.open.set(keyId, count + 1);
    return true;
  }

  giveBack(keyId: string): void {
    const count = (this.open.get(keyId) ?? 0) - 1;
    if (count > 0) this.open.set(keyId, count);
    else this.open.delete(keyId);
  }
}
