import type { ImageFormat, RelabelledFile } from './image-format';
import type { ImageHeader } from './image-header';
import { relabelJpeg } from './jpeg-file';
import { holdsOnlyRows, relabelPng } from './png-file';
import { relabelWebp } from './webp-file';

/** In random bytes, a run of this length is at any one place once in 10^13 times. */
const RUN_BYTES = 32;
const [FIRST_PRINTABLE, LAST_PRINTABLE] = [0x20, 0x7e];

/**
 * Whether coded pixels contain a run of printable ASCII. Entropy-coded data looks random, but a decoder does not read all
 * of it: a JPEG scan and a WebP image may have bytes behind their last pixel, and only another decode would find where
 * they begin. A prompt or a workflow that was put there is found by this; a message that is itself coded is not, nor is
 * one in the pixels.
 */
export function hasReadableText(bytes: Buffer): boolean {
  // Compares from the end of a possible run: the first other byte rules out all runs that contain it.
  let end = RUN_BYTES - 1;
  while (end < bytes.length) {
    let at = end;
    while (at > end - RUN_BYTES && isPrintable(bytes[at] ?? 0)) at -= 1;
    if (at === end - RUN_BYTES) return true;
    end = at + RUN_BYTES;
  }
  return false;
}

function isPrintable(byte: number): boolean {
  return byte >= FIRST_PRINTABLE && byte <= LAST_PRINTABLE;
}

const RELABEL = { png: relabelPng, jpeg: relabelJpeg, webp: relabelWebp } as const;

/** The same coded pixels with `xmp`, if any, as the only metadata; null for a file that is not plain. */
export function relabel(bytes: Buffer, format: ImageFormat, xmp: string | null): RelabelledFile | null {
  return RELABEL[format](bytes, xmp);
}

/**
 * The same image with its coded pixels unchanged and `xmp`, if any, as the only metadata, without a decode: 8 ms for a
 * PNG of 1.4 MB, below 1 ms for a JPEG or WebP. Damage inside the coded pixels of a JPEG or WebP is not found.
 * @returns null for a file that must be encoded anew: its pixels are not the image as it is shown, it is written in an
 * unusual way, or it holds more than its pixels.
 */
export async function passThrough(
  bytes: Buffer,
  { format, isPlain }: Pick<ImageHeader, 'format' | 'isPlain'>,
  xmp: string | null,
): Promise<Buffer | null> {
  const relabelled = isPlain ? relabel(bytes, format, xmp) : null;
  if (!relabelled) return null;
  const isExact =
    format === 'png' ? await holdsOnlyRows(relabelled) : !relabelled.coded.some((data) => hasReadableText(data));
  return isExact ? relabelled.bytes : null;
}
