import { type Box, boxesBetween } from './mp4-boxes';
import { VIDEO_BOUNDS } from './video-bounds';
import { VideoProblem } from './video-problem';

/** A minute of video and of compressed sound stays far below. */
const MAX_TABLE_SAMPLES = 20_000;

/** Tables of the index whose entries stand for many samples each, and where in an entry their number lies. */
const TABLES = [
  { name: 'stts', entryBytes: 8, samplesAt: 0 },
  { name: 'ctts', entryBytes: 8, samplesAt: 0 },
  { name: 'stsc', entryBytes: 12, samplesAt: 4 },
];
const TABLE_HEADER_BYTES = 12;
const MAX_TOP_LEVEL_BOXES = 1_000;

/** Whether the bytes say that they are an MP4 (or its relative, QuickTime). */
export function isMp4(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 4, 8) === 'ftyp';
}

/**
 * What must hold before the demuxer may look: it unrolls a run of four billion samples, which a file of a kilobyte can
 * declare, until memory ends.
 */
export function assertReadable(bytes: Buffer): void {
  if (bytes.length > VIDEO_BOUNDS.maxBytes) {
    throw new VideoProblem('too_many_bytes', `The video is larger than ${VIDEO_BOUNDS.maxBytes} bytes.`);
  }
  if (!isMp4(bytes)) throw new VideoProblem('not_a_video', 'The data is not an MP4 video.');
  let boxes = 0;
  for (const box of boxesBetween(bytes, 0, bytes.length)) {
    boxes += 1;
    if (boxes > MAX_TOP_LEVEL_BOXES) throw new VideoProblem('damaged', 'The video has too many parts.');
    if (box.type === 'moof') throw new VideoProblem('unsupported', 'Fragmented MP4 is not accepted.');
    if (box.type !== 'mdat') assertFewSamples(bytes, box);
  }
}

/** Tables are found by name wherever they lie, so that no nesting hides one. */
function assertFewSamples(bytes: Buffer, { start, end }: Box): void {
  for (const { name, entryBytes, samplesAt } of TABLES) {
    let samples = 0;
    for (let at = bytes.indexOf(name, start); at !== -1 && at < end; at = bytes.indexOf(name, at + name.length)) {
      for (const entry of entriesOf(bytes, at, end, entryBytes)) samples += bytes.readUInt32BE(entry + samplesAt);
    }
    if (samples > MAX_TABLE_SAMPLES) throw new VideoProblem('too_many_frames', 'The video has too many samples.');
  }
}

/** Where the entries of a table begin that lie within the bounds, however many it declares. */
function* entriesOf(bytes: Buffer, at: number, end: number, entryBytes: number): Generator<number> {
  const first = at + TABLE_HEADER_BYTES;
  const declared = first <= end ? bytes.readUInt32BE(first - 4) : 0;
  for (let i = 0; i < declared && first + (i + 1) * entryBytes <= end; i++) yield first + i * entryBytes;
}
