import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@kinora/contracts/shared/errors';
import { addressGroup } from './address-group';
import type { PeekAddress } from './malformed-request';
import { toRawResponse } from './raw-response';

/** Enough for a client to read why it is refused. */
const REFUSED_MS = 1_000;

export interface ConnectionLimit {
  /** Of one client address. */
  max: number;
  /** Proxies bring the connections of many clients. */
  isTrustedProxy: (address: string) => boolean;
  peekAddress: PeekAddress;
}

/**
 * Bounds the connections that one address has open, so that none takes all that the process may have. One beyond is answered 429
 * before HTTP is read from it; while as many again are being refused, further ones are closed without an answer.
 */
export function limitConnections(server: Server, { max, isTrustedProxy, peekAddress }: ConnectionLimit): void {
  const open = new Map<string, number>();
  const count = (group: string, change: 1 | -1): number => {
    const connections = (open.get(group) ?? 0) + change;
    if (connections > 0) open.set(group, connections);
    else open.delete(group);
    return connections;
  };
  // A refused connection must not reach the listeners that read HTTP, and a listener cannot keep an event from those behind it.
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (!isTrustedProxy(address)) {
      const group = addressGroup(address);
      const connections = count(group, 1);
      socket.once('close', () => count(group, -1));
      if (connections > 2 * max) return void socket.destroy();
      if (connections > max) return refuse(socket, toRawResponse(tooMany(max), peekAddress(address)));
    }
    for (const listener of serve) listener.call(server, socket);
  });
}

/** What the client sends meanwhile is thrown away: closed under arriving bytes, the connection would be reset, and the answer lost. */
function refuse(socket: Socket, answer: string): void {
  const timeout = setTimeout(() => socket.destroy(), REFUSED_MS);
  socket
    .on('error', () => undefined)
    .once('close', () => clearTimeout(timeout))
    .once('end', () => socket.destroy());
  socket.resume().end(answer);
}

function tooMany(max: number): ApiError {
  const message = `Too many connections from one address: ${max} may be open at once. Use them again, or wait for their answers.`;
  return new ApiError('rate_limited', message, { retry_after_seconds: 1 });
}
