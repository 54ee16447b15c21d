import type { ByteRange } from './object-store';

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses an HTTP `Range` header (RFC 9110, section 14). `full` also covers what a server may ignore: another unit, a
 * malformed header, and several ranges at once, which are not supported. The package range-parser 1.3.0 is not used: it
 * answers 416 for a suffix longer than the file and for `bytes=5-2`. The RFC requires the whole file for both.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | 'full' | 'unsatisfiable' {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'full';
  if (first === '') return toSuffix(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Number(last);
  if (last !== '' && end < start) return 'full';
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: Math.min(end, sizeBytes - 1) };
}

function toSuffix(lengthBytes: number, sizeBytes: number): ByteRange | 'unsatisfiable' {
  if (lengthBytes === 0 || sizeBytes === 0) return 'unsatisfiable';
  return { start: Math.max(0, sizeBytes - lengthBytes), end: sizeBytes - 1 };
}
