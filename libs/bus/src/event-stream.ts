import {
  ErrorCode,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  RetentionPolicy,
  StorageType,
  nanos,
} from 'nats';
import { EVENT_CONTEXTS, type EventContract } from '@kinora/contracts/shared/contract';
import { toEventHeaders } from './call-headers';
import type { BusLogger } from './bus-logger';
import { isRefusedByBroker } from './broker-refusals';
import { isConnected, refusalsOf, streamReplicasOf } from './connection';
import { encode } from './envelope';

/** One stream holds the events of all contexts. It may be lost entirely: PostgreSQL is the source of truth. */
export const EVENT_STREAM = 'KINORA_EVENTS';
const EVENT_SUBJECTS = EVENT_CONTEXTS.map((context) => `${context}.v1.event.>`);
const DAY_MS = 24 * 60 * 60 * 1_000;
const STREAM_NAME_IN_USE = 10058;
/** No suitable peers, insufficient resources, and replicas in a server that is no cluster. */
const TOO_FEW_SERVERS = [10005, 10023, 10074];
/** Survives the loss of any one server. */
const CLUSTER_REPLICAS = 3;
/** All attempts of a publish together end within the 10 s for which the outbox may hold its transaction open. */
const ANSWER_TIMEOUT_MS = 2_000;

export function openManager(connection: NatsConnection): Promise<JetStreamManager> {
  return connection.jetstreamManager({ timeout: ANSWER_TIMEOUT_MS, checkAPI: false });
}

/**
 * Creates the stream if it is missing, also after the broker's store was deleted. A cluster that cannot hold as many replicas as
 * it should, because it is too small or one of its servers is away, gets a stream with one; `keepReplicas` adds the others.
 */
export async function ensureEventStream(connection: NatsConnection): Promise<void> {
  const manager = await openManager(connection);
  const [first, ...fallbacks] = replicasToTry(streamReplicasOf(connection), isCluster(connection));
  try {
    await addStream(manager, first);
  } catch (error) {
    const [fallback] = fallbacks;
    if (fallback === undefined || !isTooFewServers(error)) throw error;
    await addStream(manager, fallback);
  }
}

async function addStream(manager: JetStreamManager, num_replicas: number): Promise<void> {
  try {
    await manager.streams.add({
      name: EVENT_STREAM,
      subjects: EVENT_SUBJECTS,
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: nanos(3 * DAY_MS),
      max_bytes: 1024 * 1024 * 1024,
      duplicate_window: nanos(120_000),
      num_replicas,
    });
  } catch (error) {
    // Another process created it first, or an operator configured it differently; that configuration is kept.
    if (apiErrorOf(error) !== STREAM_NAME_IN_USE) throw error;
  }
}

/**
 * Brings an existing stream to the subjects of this version and to the number of replicas that the setting names; where it names
 * none, to three in a cluster that has as many servers, and never to fewer than it has. Everything else of the stream's
 * configuration stays as it is.
 */
export async function keepReplicas(connection: NatsConnection, logger: BusLogger): Promise<void> {
  if (!isConnected(connection)) return;
  await ensureEventStream(connection);
  const { streams } = await openManager(connection);
  const { num_replicas: before, subjects: held } = (await streams.info(EVENT_STREAM)).config;
  // Subjects that a newer version has added stay, since its processes run beside this one during an upgrade.
  const subjects = [...new Set([...held, ...EVENT_SUBJECTS])];
  if (subjects.length > held.length) await streams.update(EVENT_STREAM, { subjects });
  const wanted = streamReplicasOf(connection);
  const replicas = wanted ?? (isCluster(connection) ? Math.max(before, CLUSTER_REPLICAS) : before);
  if (replicas === before) return;
  try {
    await streams.update(EVENT_STREAM, { num_replicas: replicas });
  } catch (error) {
    if (wanted === null && isTooFewServers(error)) return;
    throw error;
  }
  logger.info({ before, replicas }, 'event_stream_replicas_changed');
}

/** The broker reports to an ordinary user whether it is a cluster, but not its size, which only a refusal shows. */
function isCluster(connection: NatsConnection): boolean {
  return connection.info?.cluster !== undefined;
}

function replicasToTry(wanted: number | null, inCluster: boolean): [number, ...number[]] {
  const first = wanted ?? (inCluster ? CLUSTER_REPLICAS : 1);
  return first === 1 ? [1] : [first, 1];
}

function isTooFewServers(error: unknown): boolean {
  return TOO_FEW_SERVERS.includes(apiErrorOf(error) ?? 0);
}

function apiErrorOf(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}

/** Publishes events. A resolved promise means that the broker has stored the event. */
export class EventPublisher {
  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: BusLogger,
  ) {}

  /** To be repeated from time to time by the services that publish: servers join and leave the cluster. */
  keepStream(): Promise<void> {
    return keepReplicas(this.connection, this.logger);
  }

  /** @throws if the broker did not acknowledge; the caller keeps the event and publishes it again under the same id. */
  async publish(
    subject: EventContract<never>['subject'],
    payload: unknown,
    messageId: string,
    traceparent: string | null = null,
  ): Promise<void> {
    if (!isConnected(this.connection)) throw new Error('The broker is away.');
    const stream = this.connection.jetstream();
    const headers = traceparent === null ? {} : { headers: toEventHeaders(traceparent) };
    const options = { msgID: messageId, timeout: ANSWER_TIMEOUT_MS, ...headers };
    try {
      await this.publishOrCreateStream(() => stream.publish(subject, encode(payload), options));
      refusalsOf(this.connection).remove('publish', subject);
    } catch (error) {
      if (isRefusedByBroker(error)) refusalsOf(this.connection).add('publish', subject);
      throw error;
    }
  }

  private async publishOrCreateStream(publish: () => Promise<unknown>): Promise<void> {
    try {
      await publish();
    } catch (error) {
      if (!isUnacknowledged(error)) throw error;
      await ensureEventStream(this.connection);
      await publish();
    }
  }
}

/** If the stream is missing, the publish has no responder, or times out if some subscriber receives all subjects. */
function isUnacknowledged(error: unknown): boolean {
  return error instanceof NatsError && (error.code === ErrorCode.NoResponders || error.code === ErrorCode.Timeout);
}
