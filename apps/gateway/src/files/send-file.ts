import type { IncomingHttpHeaders } from 'node:http';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { type ByteRange, ObjectNotFound, type ObjectStat, type ObjectStore, parseRange } from '@kinora/object-store';

/** Status and headers of a response with a file or a part of it. */
export interface FileResponse {
  status: 200 | 206 | 416;
  headers: Record<string, string | number>;
  /** The part that is sent; undefined sends all. */
  range?: ByteRange;
}

function toFileResponse(key: string, file: ObjectStat, requested: IncomingHttpHeaders): FileResponse {
  const headers = {
    'Content-Type': file.mime,
    // Browsers save the file instead of rendering it under this origin, and do not guess another type.
    'Content-Disposition': `attachment; filename="${basename(key)}"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private',
    'Accept-Ranges': 'bytes',
  };
  // Files have no ETag or Last-Modified, so no If-Range can match. RFC 9110 then requires the whole file.
  const range = requested['if-range'] === undefined ? parseRange(requested.range, file.bytes) : 'full';
  if (range === 'full') return { status: 200, headers: { ...headers, 'Content-Length': file.bytes } };
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { 'Content-Range': `bytes */${file.bytes}`, 'Content-Length': 0 } };
  }
  const { start, end } = range;
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${file.bytes}`, 'Content-Length': end - start + 1 },
    range,
  };
}

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
