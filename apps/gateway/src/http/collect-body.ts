import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError } from '@kinora/contracts/shared/errors';
import { BodyPieces } from './body-pieces';
import { bodyTooLarge } from './request-head';
import { type SenderPace, cutOffAfterMs } from './sender-pace';

/** Of a body that is not copied. */
const ARRIVED_MAX_BYTES = 64 * 1024;

export interface BodyBounds {
  maxBytes: number;
  /** Where the head tells it. */
  declaredBytes?: number | undefined;
  pace: SenderPace;
  /** Is given the number of bytes of each piece that arrives, before it is kept; what it throws ends the body. */
  charge: (bytes: number) => void;
}

/**
 * A body that is here already, as most are: they come with their heads, and the key is judged meanwhile. Null for any other, and
 * for a large one, which needs room of its own: that of what just arrived is shared with what came along.
 * @throws ApiError invalid_body, capacity
 */
export function takeArrived(payload: IncomingMessage, { maxBytes, charge }: BodyBounds): Buffer<ArrayBuffer> | null {
  if (!payload.complete || payload.destroyed || payload.readableLength > ARRIVED_MAX_BYTES) return null;
  if (payload.readableLength > maxBytes) throw bodyTooLarge(maxBytes);
  charge(payload.readableLength);
  return (payload.read() as Buffer<ArrayBuffer> | null) ?? Buffer.alloc(0);
}

/**
 * Counts, charges and keeps what arrives, and cuts off a sender that falls below the minimum rate. The body comes in pieces.
 * @throws ApiError invalid_body, capacity
 */
export function collectBody(
  payload: Readable,
  { maxBytes, declaredBytes, pace, charge }: BodyBounds,
): Promise<Buffer<ArrayBuffer>[]> {
  return new Promise((resolve, reject) => {
    // A client that left while its key was judged: nothing would come of its body any more, neither an end nor an error.
    if (payload.destroyed) return reject(bodyCutOff());
    const pieces = new BodyPieces(declaredBytes ?? maxBytes);
    const stopWatch = watchPace(pieces, pace, () => fail(bodyTooSlow(pace)));
    const fail = (error: Error): void => {
      stopWatch();
      payload.off('data', keep);
      // Its room is given back with the answer, and the connection may linger on.
      pieces.drop();
      reject(error);
    };
    const keep = (chunk: Buffer): void => {
      if (pieces.length + chunk.length > maxBytes) return fail(bodyTooLarge(maxBytes));
      try {
        charge(chunk.length);
      } catch (error) {
        return fail(error as Error);
      }
      pieces.add(chunk);
    };
    payload.on('data', keep);
    payload.once('close', stopWatch);
    payload.once('end', () => {
      stopWatch();
      resolve(pieces.list());
    });
    payload.once('error', () => fail(bodyCutOff()));
  });
}

/** Calls back once, when the body has fallen behind the pace. @returns what ends the watch. */
function watchPace(received: { readonly length: number }, pace: SenderPace, onTooSlow: () => void): () => void {
  const beganAtMs = performance.now();
  let isOver = false;
  let timer: NodeJS.Timeout;
  const remainingMs = (): number => cutOffAfterMs(received.length, pace) - (performance.now() - beganAtMs);
  const wait = (): void => {
    // After a stall of this process timers run before what arrived meanwhile is read: an immediate runs behind both.
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
  return new ApiError('invalid_body', 'The request body ended before its end was sent.');
}

function bodyTooSlow({ graceMs, minBytesPerSecond, maxMs }: SenderPace): ApiError {
  return new ApiError(
    'invalid_body',
    `The body arrives too slowly: after ${graceMs / 1_000} s it must average ${minBytesPerSecond} bytes a second, and it must be whole within ${maxMs / 1_000} s.`,
  );
}
