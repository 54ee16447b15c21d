/** A share of the body budget. One holder gets at most half of it, so that no holder can starve the others. */
export class BodyShare {
  private readonly maxBytes: number;
  private readonly holderMaxBytes: number;
  private readonly heldByHolder = new Map<string, number>();
  private held = 0;

  /** The share and the limit per holder are raised to the largest legal body, so that one such body always fits. */
  constructor(maxBytes: number, largestBodyBytes: number) {
    this.maxBytes = Math.max(maxBytes, largestBodyBytes);
    this.holderMaxBytes = Math.max(this.maxBytes / 2, largestBodyBytes);
  }

  get heldBytes(): number {
    return this.held;
  }

  fits(holder: string, bytes: number): boolean {
    return this.held + bytes <= this.maxBytes && this.heldBy(holder) + bytes <= this.holderMaxBytes;
  }

  /** Adds bytes to what the holder uses; a negative number releases them. */
  add(holder: string, bytes: number): void {
    this.held += bytes;
    const heldBytes = this.heldBy(holder) + bytes;
    if (heldBytes > 0) this.heldByHolder.set(holder, heldBytes);
    else this.heldByHolder.delete(holder);
  }

  private heldBy(holder: string): number {
    return this.heldByHolder.get(holder) ?? 0;
  }
}
