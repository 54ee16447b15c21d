import type { ErrorCode } from './errors';

/** Never present at run time; carries the types that a subject stands for. Functions make them invariant. */
declare const types: unique symbol;

/** How requests that are made together travel together. A lone one leaves at once, and nobody who asks or answers notices. */
export interface BatchOptions<Request> {
  /** Requests that one message carries at most. */
  readonly maxItems: number;
  /**
   * Sets that one process has under way at once, each until its first answer is here or it has taken long; what comes
   * meanwhile gathers for the next one. The more there may be, the smaller they are, and the less anybody waits.
   */
  readonly maxConcurrent: number;
  /** Between whom the batches are shared fairly; left out, between the accounts of the calls. */
  readonly fairBy?: (request: Request) => string;
}

/** A question with one answer, sent over core NATS: `<context>.v1.<verb>`. */
export interface RpcContract<Request, Response> {
  readonly kind: 'rpc';
  readonly subject: string;
  /** How long a caller waits when its own deadline leaves it that much. */
  readonly timeoutMs: number;
  /** The only codes that may cross this hop; any other failure becomes `internal_error`. */
  readonly errors: readonly ErrorCode[];
  /** Present where requests travel in batches. */
  readonly batching?: BatchOptions<Request>;
  readonly [types]?: (request: Request) => Response;
}

/** A fact that must not be lost: written to the outbox, delivered by JetStream at least once. */
export interface EventContract<Payload> {
  readonly kind: 'event';
  readonly subject: string;
  readonly [types]?: (payload: Payload) => Payload;
}

/** A hint that may be lost: a plain publish that wakes somebody who would also have looked by himself. */
export interface SignalContract<Payload> {
  readonly kind: 'signal';
  readonly subject: string;
  readonly [types]?: (payload: Payload) => Payload;
}

export function rpc<Request, Response>(
  subject: string,
  options: { timeoutMs: number; errors: readonly ErrorCode[]; batching?: BatchOptions<Request> },
): RpcContract<Request, Response> {
  return { kind: 'rpc', subject, ...options };
}

export function event<Payload>(subject: string): EventContract<Payload> {
  return { kind: 'event', subject };
}

export function signal<Payload>(subject: string): SignalContract<Payload> {
  return { kind: 'signal', subject };
}
