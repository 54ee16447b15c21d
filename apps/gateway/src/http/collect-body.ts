import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError } from '@kinora/contracts/shared/errors';
import { bodyTooLarge } from './request-head';

/** For a body whose length is not known. */
const FIRST_ROOM_BYTES = 64 * 1024;

/** Of a body that is not copied. */
const ARRIVED_MAX_BYTES = 64 * 1024;

export interface BodyBounds {
  maxBytes: number;
  timeoutMs: number;
}

/**
 * A body that is here already, as most are: they come with their heads, and the key is judged meanwhile. Null for any other, and
 * for a large one, which needs room of its own: that of what just arrived is shared with what came along.
 * @throws ApiError invalid_body
 */
export function takeArrived(payload: IncomingMessage, maxBytes: number): Buffer<ArrayBuffer> | null {
  if (!payload.complete || payload.destroyed || payload.readableLength > ARRIVED_MAX_BYTES) return null;
  if (payload.readableLength > maxBytes) throw bodyTooLarge(maxBytes);
  return (payload.read() as Buffer<ArrayBuffer> | null) ?? Buffer.alloc(0);
}

/**
 * Counts what arrives: a body without a declared length is bounded only here.
 * @throws ApiError invalid_body
 */
export function collectBody(
  payload: Readable,
  { maxBytes, timeoutMs }: BodyBounds,
  declaredBytes = FIRST_ROOM_BYTES,
): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    // A client that left while its key was judged: nothing would come of its body any more, neither an end nor an error.
    if (payload.destroyed) return reject(bodyCutOff());
    const timeout = setTimeout(() => reject(bodyTooSlow()), timeoutMs);
    payload.once('close', () => clearTimeout(timeout));
    // Room for all that was announced: joining forty megabytes of pieces at the end would hold up everybody else.
    let room = Buffer.allocUnsafeSlow(declaredBytes);
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      const neededBytes = bytes + chunk.length;
      if (neededBytes > maxBytes) return reject(bodyTooLarge(maxBytes));
      if (neededBytes > room.length) {
        room = Buffer.concat([room.subarray(0, bytes)], Math.min(2 * neededBytes, maxBytes));
      }
      bytes += chunk.copy(room, bytes);
    });
    payload.once('end', () => {
      clearTimeout(timeout);
      resolve(room.subarray(0, bytes));
    });
    payload.once('error', () => reject(bodyCutOff()));
  });
}

function bodyCutOff(): ApiError {
  return new ApiError('invalid_body', 'The body ended before its end.');
}

function bodyTooSlow(): ApiError {
  return new ApiError('invalid_body', 'The body took too long to arrive.');
}
