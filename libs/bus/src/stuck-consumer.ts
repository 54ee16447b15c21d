import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumerInfo, NatsConnection } from 'nats';
import { isRefusedByBroker } from './broker-refusals';
import type { BusLogger } from './bus-logger';
import { EVENT_STREAM, openManager } from './event-stream';

/** Longer than two servers of a cluster differ in what they have applied. */
const APPLIED_WITHIN_MS = 1_000;
/** Rights of a user may arrive while its services run. Each refusal is an error in the log. */
const RETRY_AFTER_REFUSAL_MS = 600_000;

/**
 * Deletes a durable consumer that is ahead of its stream. A stream that has lost its end gives its next messages numbers that the
 * consumer has had, and the server delivers none of these: https://github.com/nats-io/nats-server/issues/7693.
 */
export class StuckConsumer {
  private retryAtMs = 0;

  constructor(
    private readonly connection: NatsConnection,
    private readonly logger: BusLogger,
  ) {}

  /**
   * @returns whether it was deleted. The consumer works on where the broker lacks the rights, or where a stream without a leader
   * gives no answer.
   */
  async deleteIfAhead(info: ConsumerInfo): Promise<boolean> {
    if (performance.now() < this.retryAtMs) return false;
    const { consumers } = await openManager(this.connection);
    try {
      if (!(await this.isAhead(info))) return false;
      // The leader of a consumer can apply a message before the leader of its stream does.
      await delay(APPLIED_WITHIN_MS);
      if (!(await this.isAhead(await consumers.info(EVENT_STREAM, info.name)))) return false;
      await consumers.delete(EVENT_STREAM, info.name);
    } catch (error) {
      if (isRefusedByBroker(error)) this.retryAtMs = performance.now() + RETRY_AFTER_REFUSAL_MS;
      this.logger.warn({ consumer: info.name, reason: String(error) }, 'event_consumer_not_compared');
      return false;
    }
    this.logger.warn({ consumer: info.name, delivered: info.delivered.stream_seq }, 'event_consumer_ahead_of_stream');
    return true;
  }

  /** The stream is read after its consumer: what arrives in between makes only the stream longer. */
  private async isAhead({ delivered }: ConsumerInfo): Promise<boolean> {
    const { streams } = await openManager(this.connection);
    return delivered.stream_seq > (await streams.info(EVENT_STREAM)).state.last_seq;
  }
}
