import { crc32 } from 'node:zlib';

/** The signature and the header chunk, with which every PNG begins. */
const BEFORE_TEXT_BYTES = 33;
/** XMP specification, part 3: its keyword, not compressed, without a language. */
const ITXT_HEAD = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1');

/**
 * Writes XMP into a PNG where the XMP specification expects it: in an uncompressed iTXt chunk. The encoder's library
 * writes a compressed zTXt, which few readers open.
 */
export function withPngXmp(png: Buffer, xmp: string): Buffer {
  const typed = Buffer.concat([Buffer.from('iTXt'), ITXT_HEAD, Buffer.from(xmp)]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(typed.length - 4, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  const chunk = [frame.subarray(0, 4), typed, frame.subarray(4)];
  return Buffer.concat([png.subarray(0, BEFORE_TEXT_BYTES), ...chunk, png.subarray(BEFORE_TEXT_BYTES)]);
}
