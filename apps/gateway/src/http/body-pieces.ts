const PIECE_MIN_BYTES = 16 * 1024;
const PIECE_MAX_BYTES = 1024 * 1024;

export interface BodySink<Body> {
  /** The bytes that were added. */
  readonly length: number;
  /** Takes a chunk. An exception ends the body. */
  add(chunk: Buffer): void;
  /** The body, after its last chunk. */
  end(): Body | Promise<Body>;
  /** Frees the memory of a body that was refused. */
  drop(): void;
}

/**
 * The bytes of a body as they arrive. Memory grows with the received bytes, at most a quarter beyond them, whatever
 * length the head declares. The pieces are never joined here, because copying 40 MB would block other requests.
 */
export class BodyPieces implements BodySink<Buffer<ArrayBuffer>[]> {
  private readonly full: Buffer<ArrayBuffer>[] = [];
  private piece: Buffer<ArrayBuffer> = Buffer.alloc(0);
  private used = 0;
  private bytes = 0;

  /** Both only size the pieces: a body that is longer than expected is stored in more, smaller pieces. */
  constructor(
    private readonly expectedBytes: number,
    private readonly pieceMinBytes = PIECE_MIN_BYTES,
  ) {}

  get length(): number {
    return this.bytes;
  }

  /** Copies the chunk: a slice of one byte would keep the whole receive buffer alive. */
  add(chunk: Buffer): void {
    for (let copied = 0; copied < chunk.length;) {
      if (this.used === this.piece.length) this.begin(chunk.length - copied);
      const bytes = chunk.copy(this.piece, this.used, copied);
      this.used += bytes;
      this.bytes += bytes;
      copied += bytes;
    }
  }

  /** Each piece has its own ArrayBuffer, so that it can be transferred to a worker thread without a copy. */
  end(): Buffer<ArrayBuffer>[] {
    return [...this.full, this.piece.subarray(0, this.used)];
  }

  drop(): void {
    this.full.length = 0;
    this.piece = Buffer.alloc(0);
    this.used = 0;
  }

  private begin(neededBytes: number): void {
    if (this.used > 0) this.full.push(this.piece);
    const ahead = Math.min(Math.max(this.bytes / 4, this.pieceMinBytes), this.expectedBytes - this.bytes);
    this.piece = Buffer.allocUnsafeSlow(Math.min(Math.max(Math.floor(ahead), neededBytes), PIECE_MAX_BYTES));
    this.used = 0;
  }
}
