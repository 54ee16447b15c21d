import type { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectNotFound, type ObjectStat, type ObjectStore } from '@kinora/object-store';
import type { FastifyReply } from 'fastify';
import { toFileResponse } from './file-response';

/** Sends a stored file, or the part of it that the request names. @throws the error of `missing` */
export async function sendFile(
  reply: FastifyReply,
  key: string,
  objects: ObjectStore,
  missing: () => ApiError,
): Promise<void> {
  const file = await findFile(key, objects, missing);
  const { status, headers, range } = toFileResponse(key, file, reply.request.headers);
  if (status === 416) return void reply.status(status).headers(headers).send();
  // Opened before the headers are set: an error response must not carry those of the file.
  const { stream } = await objects.open(key, range).catch((error: unknown) => {
    throw error instanceof ObjectNotFound ? missing() : error;
  });
  reply.status(status).headers(headers).send(stream);
}

export async function findFile(key: string, objects: ObjectStore, missing: () => ApiError): Promise<ObjectStat> {
  const file = await objects.stat(key);
  if (file === null) throw missing();
  return file;
}
