import { type LookupFunction, type TcpSocketConnectOpts, isIP } from 'node:net';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';
import { EgressError } from './egress-error';
import type { TlsMemory } from './tls-memory';
import { hostOf, portOf } from './url-parts';

export interface Pinning {
  /** The addresses that were judged; no other is connected to. */
  addresses: string[];
  /** Ends the connection while it is being made. */
  signal: AbortSignal;
  /** Of the answer's body. */
  maxBytes: number;
  tls: TlsMemory;
}

/** Handshake, head, and how little of each packet the body may be where it comes in small pieces. */
const BYTES_BESIDE_BODY = 1024 * 1024;

/** With more than one address, how long each but the last may take until the next is tried. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/**
 * Connects to judged addresses only, under the host's own name for TLS. A second resolution between judging and connecting
 * is what rebinding attacks live on: here it is answered with what was judged.
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
    // A certificate is for the name without the dot that may end it in a URL.
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
      // An address in a URL makes Node skip the lookup above, so that what was reached is compared as well.
      if (isOneOf(addresses, socket.remoteAddress)) resolve(socket);
      else socket.destroy(new EgressError('blocked_address'));
    });
  }).finally(() => signal.removeEventListener('abort', end));
}

/**
 * HTTP knows things that are neither head nor body and have no end: interim answers, extensions of chunks. Whoever sends
 * nothing else would keep the processor busy until the deadline.
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
