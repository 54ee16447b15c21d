import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import type { LargeBodyParser } from './large-body-parser';
import { type ReceivedBody, readJson } from './received-body';
import { bodyTooLarge } from './request-head';
import { policyOf } from './route-policy';

/** Below it, reading costs a millisecond or two, about as much as handing over would. */
const LARGE_BODY_BYTES = 256 * 1024;

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
    const chunks: Buffer[] = [];
    let bytes = 0;
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else reject(bodyTooLarge(maxBytes));
    });
    payload.once('end', () => resolve(Buffer.concat(chunks, bytes)));
    payload.once('error', () => reject(new ApiError('invalid_body', 'The body ended before its end.')));
  });
}
