import { access } from 'node:fs/promises';
import { Events, type NatsConnection, type TlsOptions, connect, createInbox } from 'nats';
import { BrokerRefusals } from './broker-refusals';
import type { BusLogger } from './bus-logger';
import { KeptSubscriptions } from './kept-subscriptions';
import { LostAnswers } from './lost-answers';
import { parseNatsUrl } from './nats-url';

export type { NatsConnection } from 'nats';

export interface ConnectOptions {
  /** Of one server or several, with credentials if the servers need them: see `parseNatsUrl`. */
  url: string;
  /** Shows up in the broker's connection list. */
  name: string;
  logger: BusLogger;
  /** A file that is named makes TLS mandatory, as `tls://` does. */
  tlsFiles?: NatsTlsFiles;
  /** Replicas of the event stream; null for as many as the broker can hold, up to three. */
  streamReplicas?: number | null;
  /** Rejects if the broker cannot be reached at the start, instead of waiting for it. */
  failFast?: boolean;
}

const RECONNECT_MS = 250;
const RECONNECT_JITTER_MS = 250;

/** Connections whose broker is away at the moment. The client does not expose this state. */
const away = new WeakSet<NatsConnection>();
/** What belongs to each connection and the client does not expose. */
interface ConnectionParts {
  inboxPrefix: string;
  streamReplicas: number | null;
  refusals: BrokerRefusals;
  subscriptions: KeptSubscriptions;
  lostAnswers: LostAnswers;
}
const parts = new WeakMap<NatsConnection, ConnectionParts>();

/**
 * Connects, and reconnects for ever. The client's default stops after ten attempts and leaves a service that appears alive but
 * receives nothing.
 */
export async function connectNats(options: ConnectOptions): Promise<NatsConnection> {
  const { url, name, logger, tlsFiles = {}, streamReplicas = null, failFast = false } = options;
  const { isTls, ...address } = parseNatsUrl(url);
  const inboxPrefix = userInboxPrefix(address.user);
  const files = await readableFiles(tlsFiles);
  const connection = await connect({
    ...address,
    // Without this option the client sends its password in the clear to a server that offers no TLS.
    ...((isTls || Object.keys(files).length > 0) && { tls: files }),
    inboxPrefix,
    name,
    maxReconnectAttempts: -1,
    // Capturing a stack trace for each request costs more than the request. Our own errors state the subject and the reason.
    noAsyncTraces: true,
    waitOnFirstConnect: !failFast,
    reconnectDelayHandler: reconnectDelays(),
    pingInterval: 5_000,
    maxPingOut: 2,
  });
  const refusals = new BrokerRefusals(connection, logger);
  const subscriptions = new KeptSubscriptions(connection, refusals);
  const lostAnswers = new LostAnswers(connection, subscriptions);
  parts.set(connection, { inboxPrefix, streamReplicas, refusals, subscriptions, lostAnswers });
  void followStatus(connection, logger);
  return connection;
}

/**
 * The client dials a server when its last dial is as long ago as the handler says, by the clock of the host. A clock that was put
 * back would keep it from the broker for as long, so the handler waits by a clock that only goes forward.
 * @returns milliseconds; negative for a server that may be dialled whatever the clock says.
 */
function reconnectDelays(): () => number {
  let nextAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs < nextAtMs) return nextAtMs - nowMs;
    nextAtMs = nowMs + RECONNECT_MS + Math.random() * RECONNECT_JITTER_MS;
    return -Infinity;
  };
}

/**
 * The client reads the files at each connection, so that a renewed certificate takes effect at the next reconnect. It would retry
 * for ever if a file were missing at the start.
 * @throws Error that names the variable and the file.
 */
async function readableFiles(files: NatsTlsFiles): Promise<TlsOptions> {
  const variables = { caFile: 'NATS_CA', certFile: 'NATS_CERT', keyFile: 'NATS_KEY' } as const;
  const named = (Object.keys(variables) as (keyof NatsTlsFiles)[]).filter((option) => files[option]);
  for (const option of named)
    await access(files[option] as string).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(`${variables[option]}: the file ${files[option]} cannot be read (${code})`);
    });
  return Object.fromEntries(named.map((option) => [option, files[option]]));
}

/** A subject prefix unique to this process, for answers. */
export function openInbox(connection: NatsConnection): string {
  return createInbox(inboxPrefixOf(connection));
}

/** The prefix of all answers to this connection; in logs and metrics it stands for its inboxes. */
export function inboxPrefixOf(connection: NatsConnection): string {
  return partsOf(connection).inboxPrefix;
}

/** Null where the setting leaves it to the size of the cluster. */
export function streamReplicasOf(connection: NatsConnection): number | null {
  return partsOf(connection).streamReplicas;
}

export function refusalsOf(connection: NatsConnection): BrokerRefusals {
  return partsOf(connection).refusals;
}

export function subscriptionsOf(connection: NatsConnection): KeptSubscriptions {
  return partsOf(connection).subscriptions;
}

export function lostAnswersOf(connection: NatsConnection): LostAnswers {
  return partsOf(connection).lostAnswers;
}

function partsOf(connection: NatsConnection): ConnectionParts {
  const found = parts.get(connection);
  if (!found) throw new Error('The connection was not opened by connectNats.');
  return found;
}

/** The inbox prefix contains the user's name, so that broker permissions can keep a user from reading answers to other users. */
function userInboxPrefix(user: string | undefined): string {
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

/** PEM files for TLS to the broker, under the names of the client's options. An empty name means none. */
export interface NatsTlsFiles {
  /** The authority that signed the servers' certificates; without it, those that the process trusts. */
  caFile?: string;
  /** The client's certificate. */
  certFile?: string;
  keyFile?: string;
}

/** From the variables that NATS' own command reads as well: NATS_CA, NATS_CERT and NATS_KEY. */
export function natsTlsFilesIn(env: NodeJS.ProcessEnv): NatsTlsFiles {
  return { caFile: env['NATS_CA'] ?? '', certFile: env['NATS_CERT'] ?? '', keyFile: env['NATS_KEY'] ?? '' };
}
