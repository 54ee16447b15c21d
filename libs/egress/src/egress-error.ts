import { errors } from 'undici';

/** All that a client may learn of a failed attempt: the class, never an address, a time or text from a peer. */
export type EgressFailure =
  | 'blocked_address'
  | 'dns_error'
  | 'connection_error'
  | 'tls_error'
  | 'timeout'
  | 'invalid_response'
  | 'too_large';

export class EgressError extends Error {
  constructor(readonly failure: EgressFailure) {
    super(failure);
    this.name = 'EgressError';
  }
}

/** Error codes of Node and undici for certificate and handshake failures. */
const TLS_FAILURE = /CERT|SSL|TLS|EPROTO|UNABLE_TO/;

export function toEgressError(error: unknown, signal: AbortSignal): EgressError {
  if (error instanceof EgressError) return error;
  if (signal.aborted) return new EgressError('timeout');
  const { code = '' } = error as NodeJS.ErrnoException;
  // The parser's own errors have no code.
  const isInvalid = error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW';
  if (isInvalid) return new EgressError('invalid_response');
  return new EgressError(TLS_FAILURE.test(code) ? 'tls_error' : 'connection_error');
}
