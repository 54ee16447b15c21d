import { Events, type NatsConnection, connect, createInbox } from 'nats';
import type { BusLogger } from './bus-logger';
import { parseNatsUrl } from './nats-url';

export type { NatsConnection } from 'nats';

export interface ConnectOptions {
  /** Of one server or several, with credentials if the servers need them: see `parseNatsUrl`. */
  url: string;
  /** Shows up in the broker's connection list. */
  name: string;
  logger: BusLogger;
  /** Rejects if the broker cannot be reached at the start, instead of waiting for it. */
  failFast?: boolean;
}

/** Connections whose broker is away at the moment. The client does not expose this state. */
const away = new WeakSet<NatsConnection>();
/** Inbox prefix of each connection. The client does not expose it. */
const inboxPrefixes = new WeakMap<NatsConnection, string>();

/**
 * Connects, and reconnects for ever. The client's default stops after ten attempts and leaves a service that appears alive but
 * receives nothing.
 */
export async function connectNats({ url, name, logger, failFast = false }: ConnectOptions): Promise<NatsConnection> {
  const address = parseNatsUrl(url);
  const inboxPrefix = inboxPrefixOf(address.user);
  const connection = await connect({
    ...address,
    inboxPrefix,
    name,
    maxReconnectAttempts: -1,
    // Capturing a stack trace for each request costs more than the request. Our own errors state the subject and the reason.
    noAsyncTraces: true,
    waitOnFirstConnect: !failFast,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  });
  inboxPrefixes.set(connection, inboxPrefix);
  void followStatus(connection, logger);
  return connection;
}

/** A subject prefix unique to this process, for answers. */
export function openInbox(connection: NatsConnection): string {
  return createInbox(inboxPrefixes.get(connection));
}

/** The inbox prefix contains the user's name, so that broker permissions can keep a user from reading answers to other users. */
function inboxPrefixOf(user: string | undefined): string {
  return user !== undefined && /^[\w-]+$/.test(user) ? `_INBOX.${user}` : '_INBOX';
}

/**
 * Whether the broker is connected. While it is away, the client silently drops messages, or sends them after the reconnect.
 * Every sender therefore checks this first.
 */
export function isConnected(connection: NatsConnection): boolean {
  return !connection.isClosed() && !away.has(connection);
}

/** Flushes pending messages if the broker is connected, then closes. */
export async function closeConnection(connection: NatsConnection): Promise<void> {
  if (isConnected(connection)) await connection.flush();
  await connection.close();
}

async function followStatus(connection: NatsConnection, logger: BusLogger): Promise<void> {
  for await (const { type, data } of connection.status()) {
    if (type === Events.Disconnect) away.add(connection);
    if (type === Events.Reconnect) away.delete(connection);
    if (type === Events.Disconnect || type === Events.Reconnect) logger.warn({ status: type }, 'nats_status');
    if (type === Events.Error) logger.error({ status: type, detail: data }, 'nats_error');
  }
}
