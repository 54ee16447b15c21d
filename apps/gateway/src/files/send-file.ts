import { Readable } from 'node:stream';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectNotFound, type ObjectStore } from '@kinora/object-store';
import type { FastifyReply } from 'fastify';
import { toFileResponse } from './file-response';

/** Sends a stored file, or the part of it that the request names; for HEAD its headers. @throws the error of `missing` */
export async function sendFile(
  reply: FastifyReply,
  key: string,
  objects: ObjectStore,
  missing: () => ApiError,
): Promise<void> {
  const file = await objects.stat(key);
  if (file === null) throw missing();
  const isHead = reply.request.method === 'HEAD';
  // Only GET has ranges (RFC 9110).
  const { status, headers, range } = toFileResponse(key, file, isHead ? {} : reply.request.headers);
  if (status === 416) return void reply.status(status).headers(headers).send();
  // A stream, because Fastify would set the length of any other body.
  if (isHead) return void reply.headers(headers).send(Readable.from([]));
  // Opened before the headers are set: an error response must not carry those of the file.
  const { stream } = await objects.open(key, range).catch((error: unknown) => {
    throw error instanceof ObjectNotFound ? missing() : error;
  });
  reply.status(status).headers(headers).send(stream);
}
