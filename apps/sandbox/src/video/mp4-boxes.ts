/** Boxes that contain those with times. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia']);
const DATED = new Set(['mvhd', 'tkhd', 'mdhd']);
const HEADER_BYTES = 8;
/** The type of boxes that hold XMP, by the XMP specification, part 3. */
const XMP_UUID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/**
 * Removes the creation time from an MP4 file, so that the same order gives the same bytes. Changes the bytes in place.
 */
export function undated(file: Uint8Array): Uint8Array {
  clearDates(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  return file;
}

function clearDates(boxes: Buffer): void {
  for (let at = 0; at + HEADER_BYTES <= boxes.length;) {
    const size = boxes.readUInt32BE(at);
    const type = boxes.toString('latin1', at + 4, at + HEADER_BYTES);
    // Larger boxes store their size elsewhere; none of those holds times.
    if (size < HEADER_BYTES) return;
    const content = boxes.subarray(at + HEADER_BYTES, at + size);
    if (CONTAINERS.has(type)) clearDates(content);
    // After version and flags follow the creation and the modification time, in version 1 twice as long.
    if (DATED.has(type)) content.fill(0, 4, content[0] === 1 ? 20 : 12);
    at += size;
  }
}

/** Appends an XMP description to an MP4 file. */
export function withXmp(file: Uint8Array, xmp: string): Uint8Array {
  const text = Buffer.from(xmp, 'utf8');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(HEADER_BYTES + XMP_UUID.length + text.length);
  header.write('uuid', 4, 'latin1');
  return Buffer.concat([file, header, XMP_UUID, text]);
}
