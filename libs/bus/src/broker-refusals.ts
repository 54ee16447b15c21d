import { type NatsConnection, NatsError } from 'nats';
import type { BusLogger } from './bus-logger';
import { refusedSubjects } from './bus.metrics';

const JETSTREAM_API = '$JS.API.';

/** The right that the broker does not grant, by what it is for. */
export type RefusedOperation = 'subscribe' | 'consume' | 'publish';

/** A subject that the code of this process needs and the broker refuses to its user. */
export interface Refusal {
  operation: RefusedOperation;
  subject: string;
}

/**
 * What the broker refuses to this process. The service is not ready while there is any: it would not serve a subject and still
 * receive traffic. Subscriptions, consumers and publishers retry and report the outcome here, so that rights take effect without a
 * restart.
 */
export class BrokerRefusals {
  private readonly refused = new Map<string, Refusal>();
  /** When the broker last refused a publish on a subject of the JetStream API. */
  private readonly apiRefusedAtMs = new Map<string, number>();
  private readonly whenApiRefused = new Map<string, () => void>();

  constructor(
    connection: NatsConnection,
    private readonly logger: BusLogger,
  ) {
    void this.noteApiRefusals(connection);
  }

  get isEmpty(): boolean {
    return this.refused.size === 0;
  }

  list(): Refusal[] {
    return [...this.refused.values()];
  }

  add(operation: RefusedOperation, subject: string): void {
    const key = `${operation} ${subject}`;
    if (this.refused.has(key)) return;
    this.refused.set(key, { operation, subject });
    refusedSubjects.set({ operation, subject }, 1);
    this.logger.error({ operation, subject }, 'broker_right_missing');
  }

  remove(operation: RefusedOperation, subject: string): void {
    if (!this.refused.delete(`${operation} ${subject}`)) return;
    refusedSubjects.set({ operation, subject }, 0);
    this.logger.info({ operation, subject }, 'broker_right_granted');
  }

  /** Whether the broker has refused a message on this subject of the JetStream API. Its sender is not notified by the client. */
  hasRefusedApiSince(subject: string, sinceMs: number): boolean {
    return (this.apiRefusedAtMs.get(subject) ?? -Infinity) >= sinceMs;
  }

  /** The last callback for a subject of the JetStream API is called when the broker refuses a message on it. */
  onApiRefused(subject: string, callback: () => void): void {
    this.whenApiRefused.set(subject, callback);
  }

  private async noteApiRefusals(connection: NatsConnection): Promise<void> {
    for await (const { permissionContext } of connection.status()) {
      if (permissionContext?.operation !== 'publish') continue;
      const { subject } = permissionContext;
      // Other subjects, such as inboxes, are without number.
      if (!subject.startsWith(JETSTREAM_API)) continue;
      this.apiRefusedAtMs.set(subject, performance.now());
      this.whenApiRefused.get(subject)?.();
    }
  }
}

/** A refusal that only the status of the connection shows. */
export class RefusedByBroker extends Error {
  constructor(subject: string) {
    super(`The broker refuses to deliver ${subject} to this user.`);
  }
}

export function isRefusedByBroker(error: unknown): boolean {
  return error instanceof RefusedByBroker || (error instanceof NatsError && error.isPermissionError());
}
