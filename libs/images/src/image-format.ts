export type ImageFormat = 'png' | 'jpeg' | 'webp';
export type ImageMime = `image/${ImageFormat}`;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);

/** The format by the magic bytes; null for anything but PNG, JPEG and WebP. */
export function sniffFormat(bytes: Buffer): ImageFormat | null {
  if (startsWith(bytes, PNG_SIGNATURE)) return 'png';
  if (startsWith(bytes, JPEG_SIGNATURE)) return 'jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return null;
}

export function sniffMime(bytes: Buffer): ImageMime | null {
  const format = sniffFormat(bytes);
  return format && `image/${format}`;
}

function startsWith(bytes: Buffer, signature: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}

/** An image file whose only metadata is the given XMP. */
export interface RelabelledFile {
  bytes: Buffer;
  /** The coded pixels, unchanged: parts of the original file or, of a PNG, all of them in the new one. */
  coded: readonly Buffer[];
}
