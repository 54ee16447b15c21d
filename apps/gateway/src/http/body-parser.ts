import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import type { LargeBodyParser } from './large-body-parser';
import { type ReceivedBody, readJson } from './received-body';
import { bodyTooLarge } from './request-head';
import { policyOf } from './route-policy';

/** Below it, reading costs a millisecond or two, about as much as handing over would. */
const LARGE_BODY_BYTES = 256 * 1024;
/** For a body whose length is not known. */
const FIRST_ROOM_BYTES = 64 * 1024;

/** Collects a request's body and reads it as JSON, if its route takes JSON. */
export class BodyParser {
  constructor(private readonly largeBodies: LargeBodyParser) {}

  /** @throws ApiError invalid_body, invalid_json */
  async parse(request: FastifyRequest, payload: IncomingMessage): Promise<ReceivedBody | undefined> {
    const { bodyMaxBytes, takesJson } = policyOf(request);
    const bytes = await collect(payload, bodyMaxBytes);
    if (!takesJson) return undefined;
    const options = { hashed: request.headers['idempotency-key'] !== undefined };
    return bytes.length > LARGE_BODY_BYTES ? this.largeBodies.parse(bytes, options) : readJson(bytes, options);
  }
}

/** Counts what arrives: a body without a declared length is bounded only here. */
function collect(payload: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    // Room for all that was announced: joining forty megabytes of pieces at the end would hold up everybody else.
    let room = Buffer.allocUnsafeSlow(Number(payload.headers['content-length'] ?? FIRST_ROOM_BYTES));
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      const neededBytes = bytes + chunk.length;
      if (neededBytes > maxBytes) return reject(bodyTooLarge(maxBytes));
      if (neededBytes > room.length) room = Buffer.concat([room.subarray(0, bytes)], 2 * neededBytes);
      bytes += chunk.copy(room, bytes);
    });
    payload.once('end', () => resolve(room.subarray(0, bytes)));
    payload.once('error', () => reject(new ApiError('invalid_body', 'The body ended before its end.')));
  });
}
