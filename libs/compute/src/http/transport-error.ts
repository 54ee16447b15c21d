/** There was no whole answer. The message names the kind of the error only, never an address, a header or a body. */
export class TransportError extends Error {
  constructor(
    reason: string,
    /** False proves that no byte of the request was sent: it may be sent again, here or elsewhere. */
    readonly wasSent: boolean,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'TransportError';
  }
}

/** The answer was longer than the caller's bound. */
export class AnswerTooLong extends TransportError {
  constructor() {
    super('the answer is too long', true);
    this.name = 'AnswerTooLong';
  }
}
