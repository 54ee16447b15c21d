import sharp, { type Sharp } from 'sharp';
import { ImageProblem } from './image-problem';

export const MAX_SIDE_PX = 4096;

/** Bounded pixels decode in well under a second; past this the machine is in trouble, not the image. */
const DECODE_TIMEOUT_SECONDS = 10;

let isGuarded = false;

/**
 * libvips opens dozens of formats, SVG and GIF among them, and files by name. Only what the service promises stays open,
 * and only from memory, so that no bytes can reach another loader. Not before the first picture comes: the library takes
 * 8 MB of a process.
 */
function guardedSharp(): typeof sharp {
  if (!isGuarded) {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    });
    isGuarded = true;
  }
  return sharp;
}

/** For a process that must not stand still when its first picture comes: this takes up to 50 ms. */
export function loadDecoder(): void {
  guardedSharp();
}

/** The only way to open bytes that somebody else made. */
export function openImage(bytes: Buffer): Sharp {
  // 'error' finds cut-off and corrupt data; 'warning' would also refuse photos of sloppy cameras that everybody shows.
  return guardedSharp()(bytes, { limitInputPixels: MAX_SIDE_PX * MAX_SIDE_PX, failOn: 'error' }).timeout({
    seconds: DECODE_TIMEOUT_SECONDS,
  });
}

/** Runs a decode; what the decoder refuses becomes a problem of the image, a timeout stays a fault of ours. */
export async function decoding<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : '';
    if (message.startsWith('timeout:')) throw cause;
    if (message.includes('exceeds pixel limit')) {
      throw new ImageProblem('too_large_side', `The image has more than ${MAX_SIDE_PX} pixels on a side.`, { cause });
    }
    throw new ImageProblem('damaged', 'The image data is incomplete or damaged.', { cause });
  }
}

/** Averaging all into one pixel reads the data to its end, where a cut shows, without keeping the picture in memory. */
export async function decodeToTheEnd(bytes: Buffer): Promise<void> {
  await decoding(() => openImage(bytes).resize({ width: 1, height: 1, fit: 'fill' }).raw().toBuffer());
}
