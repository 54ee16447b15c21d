import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { connect, type ConnectionOptions, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';
import { EgressError, hostOf, portOf } from './url-policy';

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

export interface Pinning {
  /** The addresses that were checked; no other is connected to. */
  addresses: string[];
  /** Ends the connection while it is being established. */
  signal: AbortSignal;
  /** Limit of the answer's body. */
  maxBytes: number;
  tls: TlsMemory;
}

/** Allowance for the handshake, the headers, and the overhead of packets that carry little of the body. */
const BYTES_BESIDE_BODY = 1024 * 1024;

/** With more than one address, how long each but the last may take until the next is tried. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/**
 * Connects to checked addresses only, with the host's own name for TLS. DNS rebinding attacks rely on a second
 * resolution between check and connection; here that resolution returns the checked addresses.
 */
export function pinnedConnector(url: URL, pinning: Pinning): buildConnector.connector {
  return (_options, callback) => {
    openTls(url, pinning).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function openTls(url: URL, { addresses, signal, maxBytes, tls }: Pinning): Promise<TLSSocket> {
  const host = hostOf(url);
  const endpoint = `${host} ${portOf(url)}`;
  const session = tls.sessionOf(endpoint);
  const options: ConnectionOptions & TcpSocketConnectOpts = {
    host,
    port: portOf(url),
    lookup: answerWith(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    ALPNProtocols: ['http/1.1'],
    // A certificate names the host without the trailing dot that a URL may have.
    ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
    secureContext: tls.context,
    ...(session ? { session } : {}),
  };
  const socket = connect(options);
  tls.learnFrom(socket, endpoint);
  endFlood(socket, 2 * maxBytes + BYTES_BESIDE_BODY);
  const end = (): void => void socket.destroy(new EgressError('timeout'));
  signal.addEventListener('abort', end);
  return new Promise<TLSSocket>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      // For an address in a URL Node skips the lookup above, so the address that was reached is compared as well.
      if (isOneOf(addresses, socket.remoteAddress)) resolve(socket);
      else socket.destroy(new EgressError('blocked_address'));
    });
  }).finally(() => signal.removeEventListener('abort', end));
}

/**
 * HTTP permits endless data that is neither head nor body: interim answers and chunk extensions. A peer that sends only
 * those would keep the processor busy until the deadline.
 */
function endFlood(socket: TLSSocket, maxBytes: number): void {
  socket.on('readable', () => {
    if (socket.bytesRead > maxBytes) socket.destroy(new EgressError('too_large'));
  });
}

function answerWith(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, callback) => callback(null, answers);
}

function isOneOf(addresses: string[], reached: string | undefined): boolean {
  const canonical = (address: string): string => ipaddr.process(address).toString();
  return reached !== undefined && addresses.map(canonical).includes(canonical(reached));
}
