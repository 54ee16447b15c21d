import { type SecureContext, type TLSSocket, createSecureContext } from 'node:tls';

/** A few kilobytes each. */
const MAX_SESSIONS = 2_000;

/**
 * What makes the next handshake cheaper: whom to trust, read once, and the sessions that servers gave us to resume. A
 * session holds for the very host and port whose certificate was checked when it began, and for nobody else.
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

  /** Keeps what the server gives for the next time; of too many sessions the oldest one goes. */
  learnFrom(socket: TLSSocket, endpoint: string): void {
    socket.on('session', (session: Buffer) => {
      this.sessions.delete(endpoint);
      this.sessions.set(endpoint, session);
      const [oldest] = this.sessions.keys();
      if (this.sessions.size > MAX_SESSIONS && oldest !== undefined) this.sessions.delete(oldest);
    });
  }
}
