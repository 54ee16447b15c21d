import type { IncomingMessage } from 'node:http';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readAll } from './file-client';
import { accessOf } from './route-access';

/** Bodies of the console's own routes are small; bodies with images are forwarded as streams. */
const BODY_MAX_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/json(;|$)/i;

const tooLarge = (): ApiError =>
  new ApiError('invalid_body', `The body is larger than ${BODY_MAX_BYTES} bytes, the most for this route.`);

/** Parses JSON bodies of the console's own routes, and leaves the bodies of forwarded ones unread. */
export function parseBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage): Promise<unknown> => {
    if (accessOf(request).streamsBody) return payload;
    const text = (await readAll(payload, BODY_MAX_BYTES, tooLarge)).toString('utf8');
    if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
      throw new ApiError('invalid_content_type', 'The Content-Type must be application/json.');
    return parseJson(text);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json', 'The body is not JSON in UTF-8.');
  }
}
