import { Readable } from 'node:stream';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectNotFound, type ObjectStore, type OpenedObject } from '@kinora/object-store';
import type { FastifyReply } from 'fastify';
import { onRequestEnd } from '../http/request-end';
import { toBase64 } from './base64-stream';
import { type AnswerPart, type ImagesAnswer, answerBytes } from './images-answer';

/**
 * Sends an answer part by part, each file from the store as base64, no faster than the client reads. The first file is opened before
 * the head is sent, so a store that is away is an error of its own.
 */
export async function sendAnswer(reply: FastifyReply, answer: ImagesAnswer, objects: ObjectStore): Promise<void> {
  const first = answer.parts.find((part) => typeof part !== 'string');
  const opened = first && (await objects.open(first.object_key).catch(asDeleted));
  onRequestEnd(reply.request, () => opened?.stream.destroy());
  reply.headers({
    'Content-Type': answer.contentType,
    'Content-Length': answerBytes(answer),
    'Cache-Control': 'no-store',
    // An answer in nginx's buffer counts as sent, although its client may be gone and repeat the request.
    'X-Accel-Buffering': 'no',
  });
  reply.send(Readable.from(textOf(answer.parts, objects, opened), { objectMode: false }));
}

export function imagesAreGone(): ApiError {
  return new ApiError('not_found', 'The images of this job are deleted.');
}

async function* textOf(
  parts: readonly AnswerPart[],
  objects: ObjectStore,
  opened: OpenedObject | undefined,
): AsyncGenerator<string> {
  let first = opened;
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else {
      const { stream } = first ?? (await objects.open(part.object_key));
      first = undefined;
      yield* toBase64(stream);
    }
  }
}

function asDeleted(error: unknown): never {
  if (!(error instanceof ObjectNotFound)) throw error;
  throw imagesAreGone();
}
