import {
  ErrorCode,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  RetentionPolicy,
  StorageType,
  nanos,
} from 'nats';
import type { EventContract } from '@kinora/contracts/shared/contract';
import { toEventHeaders } from './call-headers';
import { isRefusedByBroker } from './broker-refusals';
import { isConnected, refusalsOf } from './connection';
import { encode } from './envelope';

/** One stream holds the events of all contexts. It may be lost entirely: PostgreSQL is the source of truth. */
export const EVENT_STREAM = 'KINORA_EVENTS';
const EVENT_SUBJECTS = '*.v1.event.>';
const DAY_MS = 24 * 60 * 60 * 1_000;
const STREAM_NAME_IN_USE = 10058;
/** All attempts of a publish together end within the 10 s for which the outbox may hold its transaction open. */
const ANSWER_TIMEOUT_MS = 2_000;

export function openManager(connection: NatsConnection): Promise<JetStreamManager> {
  return connection.jetstreamManager({ timeout: ANSWER_TIMEOUT_MS, checkAPI: false });
}

/** Creates the stream if it is missing, also after the broker's store was deleted. */
export async function ensureEventStream(manager: JetStreamManager): Promise<void> {
  try {
    await manager.streams.add({
      name: EVENT_STREAM,
      subjects: [EVENT_SUBJECTS],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: nanos(3 * DAY_MS),
      max_bytes: 1024 * 1024 * 1024,
      duplicate_window: nanos(120_000),
    });
  } catch (error) {
    // Another process created it first, or an operator configured it differently; that configuration is kept.
    if (!(error instanceof NatsError && error.api_error?.err_code === STREAM_NAME_IN_USE)) throw error;
  }
}

/** Publishes events. A resolved promise means that the broker has stored the event. */
export class EventPublisher {
  constructor(private readonly connection: NatsConnection) {}

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
      await ensureEventStream(await openManager(this.connection));
      await publish();
    }
  }
}

/** If the stream is missing, the publish has no responder, or times out if some subscriber receives all subjects. */
function isUnacknowledged(error: unknown): boolean {
  return error instanceof NatsError && (error.code === ErrorCode.NoResponders || error.code === ErrorCode.Timeout);
}
