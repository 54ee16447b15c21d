import type { IncomingHttpHeaders } from 'node:http';
import { basename } from 'node:path';
import { type ByteRange, type ObjectStat, parseRange } from '@kinora/object-store';

/** Status and headers of a response with a file or a part of it. */
export interface FileResponse {
  status: 200 | 206 | 416;
  headers: Record<string, string | number>;
  /** The part that is sent; undefined sends all. */
  range?: ByteRange;
}

export function toFileResponse(key: string, file: ObjectStat, requested: IncomingHttpHeaders): FileResponse {
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
