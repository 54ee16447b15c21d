import { Events, type NatsConnection, connect, createInbox } from 'nats';
import type { BusLogger } from './bus-logger';
import { parseNatsUrl } from './nats-url';

export type { NatsConnection } from 'nats';

export interface ConnectOptions {
  /** Of one server or several, with credentials where they need them: see `parseNatsUrl`. */
  url: string;
  /** Shows up in the broker's connection list. */
  name: string;
  logger: BusLogger;
  /** Rejects when the broker is not there at the start, instead of waiting for it. */
  failFast?: boolean;
}

/** Connections whose broker is away at the moment; the client itself does not say. */
const away = new WeakSet<NatsConnection>();
/** Where the answers to a connection come; the client itself does not say. */
const inboxPrefixes = new WeakMap<NatsConnection, string>();

/**
 * Connects, and reconnects for ever: the client's own default gives up after ten attempts and leaves a
 * service that looks alive and hears nothing.
 */
export async function connectNats({ url, name, logger, failFast = false }: ConnectOptions): Promise<NatsConnection> {
  const address = parseNatsUrl(url);
  const inboxPrefix = inboxPrefixOf(address.user);
  const connection = await connect({
    ...address,
    inboxPrefix,
    name,
    maxReconnectAttempts: -1,
    // A stack trace for each request costs more than the request; our own errors tell the subject and the reason.
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

/** A subject of this process alone, below which answers may come. */
export function openInbox(connection: NatsConnection): string {
  return createInbox(inboxPrefixes.get(connection));
}

/** Answers to a user come below the user's name, so that the broker can keep each user from reading those to others. */
function inboxPrefixOf(user: string | undefined): string {
  return user !== undefined && /^[\w-]+$/.test(user) ? `_INBOX.${user}` : '_INBOX';
}

/**
 * Whether the broker is there. While it is away the client drops what is sent without a word, or, at the moment of its
 * return, sends it after all: whoever sends asks first.
 */
export function isConnected(connection: NatsConnection): boolean {
  return !connection.isClosed() && !away.has(connection);
}

/** Sends what is still to be sent, where there is somebody to send it to, and closes. */
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
