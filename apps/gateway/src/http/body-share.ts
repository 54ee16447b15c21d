/** A part of the room for bodies, of which one holder has at most half, so that none can shut the others out. */
export class BodyShare {
  private readonly maxBytes: number;
  private readonly holderMaxBytes: number;
  private readonly heldByHolder = new Map<string, number>();
  private held = 0;

  /** Half of a small share would not be enough for a single body that is legal. */
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

  /** Takes bytes, or gives back a negative number of them. */
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
