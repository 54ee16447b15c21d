import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyRequest } from 'fastify';
import { parseJson } from './parse-json';
import { bodyTooLarge } from './request-head';
import { policyOf } from './route-policy';

/** The value of a JSON body; undefined on a route that takes none. @throws ApiError invalid_body, invalid_json */
export async function parseBody(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
  const { bodyMaxBytes, takesJson } = policyOf(request);
  const bytes = await collect(payload, bodyMaxBytes);
  return takesJson ? parseJson(bytes) : undefined;
}

/** Counts what arrives: a body without a declared length is bounded only here. */
function collect(payload: IncomingMessage, maxBytes: number): Promise<Buffer> {
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
