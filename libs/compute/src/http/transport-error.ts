/** There was no whole answer. Its text names the class of the trouble only, never an address, a header or a body. */
export class TransportError extends Error {
  constructor(
    reason: string,
    /** False proves that no byte of the request has left: it may be sent again, here or elsewhere. */
    readonly wasSent: boolean,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'TransportError';
  }
}

/** The answer was longer than the caller is willing to read. */
export class AnswerTooLong extends TransportError {
  constructor() {
    super('the answer is too long', true);
    this.name = 'AnswerTooLong';
  }
}
