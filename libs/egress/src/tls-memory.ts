import { type SecureContext, type TLSSocket, createSecureContext } from 'node:tls';

/** Each session takes a few kilobytes. */
const MAX_SESSIONS = 2_000;

/**
 * Makes the next handshake cheaper: keeps the trusted authorities, read once, and the TLS sessions to resume. A session
 * is valid only for the host and port whose certificate was checked when it began.
 */
export class TlsMemory {
  readonly context: SecureContext;
  private readonly sessions = new Map<string, Buffer>();

  /** @param authority PEM of the one authority to trust instead of those that the process trusts. */
  constructor(authority: string | undefined) {
    this.context = createSecureContext(authority === undefined ? {} : { ca: authority });
  }

  sessionOf(endpoint: string): Buffer | undefined {
    return this.sessions.get(endpoint);
  }

  /** Stores the sessions that the server issues; above the limit the oldest one is dropped. */
  learnFrom(socket: TLSSocket, endpoint: string): void {
    socket.on('session', (session: Buffer) => {
      this.sessions.delete(endpoint);
      this.sessions.set(endpoint, session);
      const [oldest] = this.sessions.keys();
      if (this.sessions.size > MAX_SESSIONS && oldest !== undefined) this.sessions.delete(oldest);
    });
  }
}
