import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { type Provenance, provenanceXmp } from '@kinora/images';
import { codecOf, writeAvcC } from './decoder-parameters';
import { boxesBetween } from './mp4-boxes';
import { toPacket } from './nal-units';
import type { ReadVideo } from './read-video';

/** Where an MP4 stores XMP: a box of this extended type (XMP specification, part 3). */
const XMP_UUID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/** A new MP4 around the same pictures, with its index first; the same pictures always give the same bytes. */
export async function writeVideo(video: ReadVideo, provenance: Provenance): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = {
    codec: codecOf(video.parameters),
    codedWidth: video.frame.width,
    codedHeight: video.frame.height,
    description: writeAvcC(video.parameters),
  };
  for (const [index, picture] of video.pictures.entries()) {
    const { timestampSeconds = 0, durationSeconds = 0 } = video.timing.shownAt[index] ?? {};
    const type = picture.isKey ? 'key' : 'delta';
    await source.add(new EncodedPacket(toPacket(picture), type, timestampSeconds, durationSeconds), { decoderConfig });
  }
  await output.finalize();
  if (target.buffer === null) throw new Error('The MP4 muxer returned no file.');
  const file = Buffer.from(target.buffer);
  resetTimes(file, 0, file.length);
  return Buffer.concat([file, xmpBox(provenanceXmp(provenance))]);
}

const PARENTS_OF_TIMES = ['moov', 'trak', 'mdia'];
const HEADERS_WITH_TIMES = ['mvhd', 'tkhd', 'mdhd'];
const VERSION_AND_FLAGS_BYTES = 4;
/** Creation and modification time, in 4 bytes each, or in 8 from version 1 on. */
const TIMES_BYTES = [8, 16];

/** The muxer writes the current time, which would make every copy a different file. */
function resetTimes(file: Buffer, from: number, to: number): void {
  for (const { type, start, end } of boxesBetween(file, from, to)) {
    if (PARENTS_OF_TIMES.includes(type)) resetTimes(file, start, end);
    if (!HEADERS_WITH_TIMES.includes(type)) continue;
    const times = start + VERSION_AND_FLAGS_BYTES;
    file.fill(0, times, times + (TIMES_BYTES[file[start] ?? 0] ?? 0));
  }
}

function xmpBox(xmp: string): Buffer {
  const content = Buffer.concat([Buffer.from('uuid'), XMP_UUID, Buffer.from(xmp)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(size.length + content.length);
  return Buffer.concat([size, content]);
}
