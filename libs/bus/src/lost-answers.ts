import { Events, type NatsConnection } from 'nats';
import type { KeptSubscriptions } from './kept-subscriptions';

/** For answers that were sent just before the loss, or are sent just after the reconnect. */
const GRACE_MS = 1_000;

/** The reason of a request that failed before its timeout. */
export const CONNECTION_LOST = 'a connection was lost, and probably the answer with it';

interface PendingAnswer {
  fail: () => void;
}

/**
 * Fails requests whose answer was probably lost with a connection, so that their callers can repeat them now and do not wait for
 * the whole timeout. A broker keeps no message for a connection that is lost: what was sent to the caller meanwhile is gone, and
 * so is what the handler sent. The caller notices the first by itself; of the second the handler's service publishes a signal.
 * A request that is slow and not lost fails too. That is rare, and its caller repeats it.
 */
export class LostAnswers {
  private readonly pending = new Map<string, Set<PendingAnswer>>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly subscriptions: KeptSubscriptions,
  ) {
    void this.followConnection();
  }

  /** @returns a function to call when the request has ended in any way. */
  watch(subject: string, fail: () => void): () => void {
    const requests = this.pendingOf(contextOf(subject));
    const request = { fail };
    requests.add(request);
    return () => void requests.delete(request);
  }

  private pendingOf(context: string): Set<PendingAnswer> {
    const known = this.pending.get(context);
    if (known) return known;
    const requests = new Set<PendingAnswer>();
    this.pending.set(context, requests);
    this.subscriptions.open({ subject: answersLostSubject(context), take: () => failSoon(requests) });
    return requests;
  }

  private async followConnection(): Promise<void> {
    for await (const { type } of this.connection.status())
      if (type === Events.Disconnect) for (const requests of this.pending.values()) failSoon(requests);
  }
}

/** Signals to the callers of a service, after each of its reconnects, that its earlier answers were lost. */
export async function reportLostAnswers(connection: NatsConnection, subjects: Iterable<string>): Promise<void> {
  const contexts = new Set([...subjects].map(contextOf));
  for await (const { type } of connection.status())
    if (type === Events.Reconnect) for (const context of contexts) connection.publish(answersLostSubject(context));
}

/** A subject of the bus itself, like that of batches, and no contract. */
export function answersLostSubject(context: string): string {
  return `${context}.v1.signal.answers_lost`;
}

export function contextOf(subject: string): string {
  return subject.slice(0, subject.indexOf('.'));
}

/** Those that are pending now, if they still are after the grace period. */
function failSoon(requests: Set<PendingAnswer>): void {
  const suspected = [...requests];
  if (suspected.length === 0) return;
  setTimeout(() => {
    for (const request of suspected) if (requests.has(request)) request.fail();
  }, GRACE_MS).unref();
}
