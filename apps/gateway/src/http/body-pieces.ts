const PIECE_MIN_BYTES = 16 * 1024;
const PIECE_MAX_BYTES = 1024 * 1024;

/**
 * The bytes of a body as they arrive. Memory is taken for what is here, and at most a quarter more, whatever length the head has
 * declared; and since pieces are never joined here, forty megabytes hold up no other request.
 */
export class BodyPieces {
  private readonly full: Buffer<ArrayBuffer>[] = [];
  private piece: Buffer<ArrayBuffer> = Buffer.alloc(0);
  private used = 0;
  private bytes = 0;

  /** More than is expected costs no more than smaller pieces. */
  constructor(private readonly expectedBytes: number) {}

  get length(): number {
    return this.bytes;
  }

  /** Copies: a chunk of one byte would otherwise keep all that arrived along with it. */
  add(chunk: Buffer): void {
    for (let copied = 0; copied < chunk.length;) {
      if (this.used === this.piece.length) this.begin(chunk.length - copied);
      const bytes = chunk.copy(this.piece, this.used, copied);
      this.used += bytes;
      this.bytes += bytes;
      copied += bytes;
    }
  }

  /** Each with a memory of its own, so that a thread can have it without a copy. */
  list(): Buffer<ArrayBuffer>[] {
    return [...this.full, this.piece.subarray(0, this.used)];
  }

  drop(): void {
    this.full.length = 0;
    this.piece = Buffer.alloc(0);
    this.used = 0;
  }

  private begin(neededBytes: number): void {
    if (this.used > 0) this.full.push(this.piece);
    const ahead = Math.min(Math.max(this.bytes / 4, PIECE_MIN_BYTES), this.expectedBytes - this.bytes);
    this.piece = Buffer.allocUnsafeSlow(Math.min(Math.max(Math.floor(ahead), neededBytes), PIECE_MAX_BYTES));
    this.used = 0;
  }
}
