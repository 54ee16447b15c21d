/** An engine has not judged. The message says what went wrong and holds neither content, nor keys, nor the answer. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';

  constructor(
    message: string,
    /** `content`: it may be this content alone that the engine cannot judge; others are still worth asking about. */
    readonly about: 'engine' | 'content' = 'engine',
    /** How long the engine wants to be left alone, where it said so. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}
