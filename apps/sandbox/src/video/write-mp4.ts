import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';

/**
 * Often enough to seek in a long video. A short one has a single key frame, because each one causes a slight visible
 * change of the grain.
 */
export const SECONDS_BETWEEN_KEY_FRAMES = 10;

/**
 * Copies the images from an encoder's file, in which each follows the one before, and writes them at their exact
 * times. The index comes first, so that a player can begin before it has read everything.
 */
export async function writeMp4(file: Uint8Array, fps: number): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(file), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !decoderConfig) throw new Error('The encoder has written no video.');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  let frame = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    await source.add(packet.clone({ timestamp: frame / fps, duration: 1 / fps }), { decoderConfig });
    frame += 1;
  }
  await output.finalize();
  if (!target.buffer) throw new Error('The video was not written.');
  return undated(new Uint8Array(target.buffer));
}

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

export function withXmp(file: Uint8Array, xmp: string): Uint8Array {
  const text = Buffer.from(xmp, 'utf8');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(HEADER_BYTES + XMP_UUID.length + text.length);
  header.write('uuid', 4, 'latin1');
  return Buffer.concat([file, header, XMP_UUID, text]);
}
