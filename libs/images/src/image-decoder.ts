import sharp, { type Sharp } from 'sharp';
import { ImageProblem } from './image-problem';

export const MAX_SIDE_PX = 4096;

/**
 * Images within the bounds decode in well under a second; a timeout means that the machine is overloaded, not that the
 * image is bad.
 */
const DECODE_TIMEOUT_SECONDS = 10;

let isGuarded = false;

/**
 * libvips reads dozens of formats, including SVG and GIF, and opens files by name. Only the supported formats stay
 * enabled, and only from memory, so that no input can reach another loader. The library is loaded with the first image,
 * because it takes 8 MB of a process.
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

/** Loading takes up to 50 ms; a process that must not block at its first image calls this at its start. */
export function loadDecoder(): void {
  guardedSharp();
}

/** The only way to open image bytes from outside. */
export function openImage(bytes: Buffer): Sharp {
  // 'error' detects cut-off and corrupt data; 'warning' would also refuse common photos of cameras that write slightly
  // wrong files.
  return guardedSharp()(bytes, { limitInputPixels: MAX_SIDE_PX * MAX_SIDE_PX, failOn: 'error' }).timeout({
    seconds: DECODE_TIMEOUT_SECONDS,
  });
}

/** Runs a decode. An error of the decoder becomes an ImageProblem; a timeout stays an internal error. */
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

/**
 * Averaging the image into one pixel reads the data to its end, which detects a cut, without holding the image in
 * memory.
 */
export async function decodeToTheEnd(bytes: Buffer): Promise<void> {
  await decoding(() => openImage(bytes).resize({ width: 1, height: 1, fit: 'fill' }).raw().toBuffer());
}

/**
 * An image with more pixels takes more than 10 ms of a processor, so a separate process of low priority handles it. Most images
 * of models have at most as many.
 */
export const MOST_PIXELS_IN_PLACE = 1_024 * 1_024;
