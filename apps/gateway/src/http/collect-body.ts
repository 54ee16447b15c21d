import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError } from '@kinora/contracts/shared/errors';
import { BodyPieces, type BodySink } from './body-pieces';
import { bodyTooLarge } from './request-head';

/** How slowly a body may arrive. */
export interface SenderPace {
  /** The minimum rate does not apply during this time: a slow start or a short stall is normal. */
  graceMs: number;
  /** Average rate after the grace; 0 sets no minimum. */
  minBytesPerSecond: number;
  /** Limit for the whole body, at any rate. */
  maxMs: number;
}

/**
 * Milliseconds after its start at which a body is refused unless more of it arrives. Every received byte extends this
 * time, so that a client on a bad connection can catch up after a pause.
 */
export function cutOffAfterMs(arrivedBytes: number, { graceMs, minBytesPerSecond, maxMs }: SenderPace): number {
  if (minBytesPerSecond === 0) return maxMs;
  return Math.min(graceMs + (arrivedBytes / minBytesPerSecond) * 1_000, maxMs);
}

/** The largest body that is used in place, without a copy. */
const ARRIVED_MAX_BYTES = 64 * 1024;

export interface BodyBounds {
  maxBytes: number;
  /** Undefined where the head has no Content-Length. */
  declaredBytes?: number | undefined;
  pace: SenderPace;
  /** Called with the size of each piece before it is stored. An exception ends the body. */
  charge: (bytes: number) => void;
}

/**
 * Returns a body that has arrived completely, as most have: they come with their heads and arrive while the key is
 * checked. Null for an incomplete body. Null also for a large one, which needs its own memory, because the receive buffer
 * holds other data too.
 * @throws ApiError invalid_body, capacity
 */
export function takeArrived(payload: IncomingMessage, { maxBytes, charge }: BodyBounds): Buffer<ArrayBuffer> | null {
  if (!payload.complete || payload.destroyed || payload.readableLength > ARRIVED_MAX_BYTES) return null;
  if (payload.readableLength > maxBytes) throw bodyTooLarge(maxBytes);
  charge(payload.readableLength);
  return (payload.read() as Buffer<ArrayBuffer> | null) ?? Buffer.alloc(0);
}

/** Returns the body in pieces. @throws ApiError invalid_body, capacity */
export function collectBody(payload: Readable, bounds: BodyBounds): Promise<Buffer<ArrayBuffer>[]> {
  return receiveBody(payload, bounds, new BodyPieces(bounds.declaredBytes ?? bounds.maxBytes));
}

/**
 * Counts and charges the chunks of a body, passes them on, and refuses a sender below the minimum rate.
 * @throws ApiError invalid_body, capacity; what the sink throws
 */
export function receiveBody<Body>(
  payload: Readable,
  { maxBytes, pace, charge }: BodyBounds,
  sink: BodySink<Body>,
): Promise<Body> {
  return new Promise((resolve, reject) => {
    // The client disconnected while its key was checked: the stream would emit neither `end` nor `error`, and the promise
    // would never settle.
    if (payload.destroyed) return reject(bodyCutOff());
    const stopWatch = watchPace(sink, pace, () => fail(bodyTooSlow(pace)));
    const fail = (error: Error): void => {
      stopWatch();
      payload.off('data', keep);
      payload.off('end', finish);
      // The budget is released with the response, but the connection may linger, so the memory is freed now.
      sink.drop();
      reject(error);
    };
    const keep = (chunk: Buffer): void => {
      if (sink.length + chunk.length > maxBytes) return fail(bodyTooLarge(maxBytes));
      try {
        charge(chunk.length);
        sink.add(chunk);
      } catch (error) {
        fail(error as Error);
      }
    };
    const finish = (): void => {
      stopWatch();
      resolve(sink.end());
    };
    payload.on('data', keep);
    payload.once('close', stopWatch);
    payload.once('end', finish);
    payload.once('error', () => fail(bodyCutOff()));
  });
}

/** Calls `onTooSlow` once when the body falls behind the pace. @returns a function that stops the watch. */
function watchPace(received: { readonly length: number }, pace: SenderPace, onTooSlow: () => void): () => void {
  const beganAtMs = performance.now();
  let isOver = false;
  let timer: NodeJS.Timeout;
  const remainingMs = (): number => cutOffAfterMs(received.length, pace) - (performance.now() - beganAtMs);
  const wait = (): void => {
    // After a stall of the event loop, timers run before the data that arrived meanwhile is read. An immediate runs after
    // both.
    timer = setTimeout(() => setImmediate(checkPace), Math.ceil(remainingMs()));
  };
  const checkPace = (): void => {
    if (isOver) return;
    if (remainingMs() > 0) wait();
    else onTooSlow();
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function bodyCutOff(): ApiError {
  return new ApiError(
    'invalid_body',
    'The request body is incomplete: the connection closed before all of it arrived.',
  );
}

function bodyTooSlow({ graceMs, minBytesPerSecond, maxMs }: SenderPace): ApiError {
  return new ApiError(
    'invalid_body',
    `The body arrives too slowly: after ${graceMs / 1_000} s it must average ${minBytesPerSecond} bytes a second, and all of it must arrive within ${maxMs / 1_000} s.`,
  );
}
