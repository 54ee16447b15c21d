/** An engine has not judged the content. The message holds neither content, nor keys, nor the engine's answer. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';

  constructor(
    message: string,
    /** `content`: the engine may be unable to judge this content only, so requests for other content continue. */
    readonly about: 'engine' | 'content' = 'engine',
    /** The Retry-After of the engine, or null. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}
