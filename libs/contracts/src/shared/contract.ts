import type { ErrorCode } from './errors';

/** Exists in the type only: the types that a subject carries. Functions make them invariant. */
declare const types: unique symbol;

/** Micro-batching of requests that are made together. A single request leaves at once. Callers and handlers need no changes. */
export interface BatchOptions<Request> {
  /** Maximum number of requests in one message. */
  readonly maxItems: number;
  /**
   * Number of batches that one process has under way at once. A batch counts until its first answer or a short timeout. Later
   * requests wait for the next batch: a higher number means smaller batches and shorter waits.
   */
  readonly maxConcurrent: number;
  /**
   * For a handler of several steps, each at another service: two batches or more then keep every step busy. The number of
   * batches under way adapts to the number of requests, up to `maxConcurrent`.
   */
  readonly isPipelined?: boolean;
  /** Key by which batches are shared fairly; the account of the call by default. */
  readonly fairBy?: (request: Request) => string;
}

/** A request with one answer, sent over core NATS: `<context>.v1.<verb>`. */
export interface RpcContract<Request, Response> {
  readonly kind: 'rpc';
  readonly subject: string;
  /** Timeout of the caller, if its own deadline is not earlier. */
  readonly timeoutMs: number;
  /** The only error codes that may cross this hop; any other failure becomes `internal_error`. */
  readonly errors: readonly ErrorCode[];
  /** Present if requests travel in batches. */
  readonly batching?: BatchOptions<Request>;
  readonly [types]?: (request: Request) => Response;
}

/**
 * The contexts that may publish events. The stream holds `<context>.v1.event.>` of each: a wildcard for the context would also
 * cover JetStream's own subjects (`$JS.…`), which current servers refuse (seen with 2.14).
 */
export const EVENT_CONTEXTS = ['billing', 'catalog', 'jobs', 'moderation', 'webhooks'] as const;
export type EventSubject = `${(typeof EVENT_CONTEXTS)[number]}.v1.event.${string}`;

/** A fact that must not be lost: written to the outbox, delivered by JetStream at least once. */
export interface EventContract<Payload> {
  readonly kind: 'event';
  readonly subject: string;
  readonly [types]?: (payload: Payload) => Payload;
}

/** A hint that may be lost: a plain publish. Its subscribers also poll. */
export interface SignalContract<Payload> {
  readonly kind: 'signal';
  readonly subject: string;
  readonly [types]?: (payload: Payload) => Payload;
}

/** The caller waits 5 s unless the options say otherwise. `capacity` crosses every hop, because the bus itself answers it. */
export function rpc<Request, Response>(
  subject: string,
  options: { timeoutMs?: number; errors?: readonly ErrorCode[]; batching?: BatchOptions<Request> } = {},
): RpcContract<Request, Response> {
  return { kind: 'rpc', subject, timeoutMs: 5_000, ...options, errors: [...(options.errors ?? []), 'capacity'] };
}

export function event<Payload>(subject: EventSubject): EventContract<Payload> {
  return { kind: 'event', subject };
}

export function signal<Payload>(subject: string): SignalContract<Payload> {
  return { kind: 'signal', subject };
}
