import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { compile as compileAddresses } from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { ApiError } from '@kinora/contracts/shared/errors';

/** Length in bytes of the IPv6 prefix (/64) that a network assigns to one customer. */
const PREFIX_BYTES = 8;

/** Some proxies write the port of the client into X-Forwarded-For. Each connection has another one. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** The key that stands for one client: an IPv4 address, or the /64 of an IPv6 address. */
export function addressGroup(address: string): string {
  // Most addresses are IPv4 and need no parsing.
  if (!address.includes(':')) return address;
  const [, ipv6 = address, ipv4] = WITH_PORT.exec(address) ?? [];
  return ipv4 ?? ipv6Group(ipv6);
}

function ipv6Group(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, PREFIX_BYTES)).toString('hex')}/64`;
}

/** Time for a client to read the response before the connection is destroyed. */
const REFUSED_MS = 1_000;

export interface ConnectionLimit {
  /** Per client address. */
  max: number;
  /** A trusted proxy carries the connections of many clients and has no limit. */
  isTrustedProxy: (address: string) => boolean;
  /** The whole answer to a connection that is refused. */
  toRawResponse: (error: ApiError, socket: Socket) => string;
}

/** Whether an address is one of the proxies, which are a comma-separated list of addresses and CIDRs. */
export function trustedProxiesOf(proxies: string): (address: string) => boolean {
  if (proxies === '') return () => false;
  const includes = compileAddresses(proxies.split(',').map((entry) => entry.trim()));
  return (address) => includes(address, 0);
}

/**
 * Limits the open connections per client address, so that no address uses up the limit of the process. A connection
 * beyond the limit is answered 429 before any HTTP is read from it. Beyond twice the limit, connections are closed
 * without a response.
 */
export function limitConnections(server: Server, { max, isTrustedProxy, toRawResponse }: ConnectionLimit): void {
  const open = new Map<string, number>();
  const count = (group: string, change: 1 | -1): number => {
    const connections = (open.get(group) ?? 0) + change;
    if (connections > 0) open.set(group, connections);
    else open.delete(group);
    return connections;
  };
  // A refused connection must not reach the listeners that parse HTTP. A listener cannot stop an event, so this one
  // replaces the others and calls them itself.
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (!isTrustedProxy(address)) {
      const group = addressGroup(address);
      const connections = count(group, 1);
      socket.once('close', () => count(group, -1));
      if (connections > 2 * max) return void socket.destroy();
      if (connections > max) return refuse(socket, toRawResponse(tooMany(max), socket));
    }
    for (const listener of serve) listener.call(server, socket);
  });
}

/**
 * Discards what the client still sends: closing a socket with unread data sends a reset, and the client would lose the
 * response.
 */
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
