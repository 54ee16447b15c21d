import { boxesBetween } from './mp4-boxes';
import { VIDEO_BOUNDS, VideoProblem } from './video-problem';

/** One minute of video and of compressed sound stays far below this. */
const MAX_TABLE_SAMPLES = 20_000;

/** Tables of the index whose entries stand for many samples each, and the offset of that number in an entry. */
const TABLES = [
  { name: 'stts', entryBytes: 8, samplesAt: 0 },
  { name: 'ctts', entryBytes: 8, samplesAt: 0 },
  { name: 'stsc', entryBytes: 12, samplesAt: 4 },
];
/**
 * Boxes whose numbers also stand for samples, or that make the demuxer sort and split without limit: those of
 * fragments, and sample sizes of zero bits.
 */
const REFUSED_BOXES = ['moof', 'tfra', 'stz2'];
const TABLE_HEADER_BYTES = 12;
const MAX_TOP_LEVEL_BOXES = 1_000;
/**
 * The index of one minute takes a hundredth of it, and the metadata of encoders the rest. Tens of thousands of tracks
 * take more.
 */
const MAX_INDEX_BYTES = 8 * 1024 * 1024;

/** Whether the bytes begin like an MP4 (or QuickTime) file. */
export function isMp4(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 4, 8) === 'ftyp';
}

/**
 * Checks the file before the demuxer parses it. A file of one kilobyte can declare a run of four billion samples, which
 * the demuxer would expand until memory ends.
 */
export function assertReadable(bytes: Buffer): void {
  if (bytes.length > VIDEO_BOUNDS.maxBytes) {
    throw new VideoProblem('too_many_bytes', `The video is larger than ${VIDEO_BOUNDS.maxBytes} bytes.`);
  }
  if (!isMp4(bytes)) throw new VideoProblem('not_a_video', 'The data is not an MP4 video.');
  let boxes = 0;
  for (const box of boxesBetween(bytes, 0, bytes.length)) {
    boxes += 1;
    if (boxes > MAX_TOP_LEVEL_BOXES || (box.type === 'moov' && box.end - box.start > MAX_INDEX_BYTES)) {
      throw new VideoProblem('damaged', 'The video has too many parts.');
    }
    if (box.type !== 'mdat') assertCountable(box.type, bytes.subarray(box.start, box.end));
  }
}

/** Boxes are found by name at any place, so that no nesting hides one. */
function assertCountable(type: string, content: Buffer): void {
  if (REFUSED_BOXES.some((name) => type === name || content.includes(name))) {
    throw new VideoProblem('unsupported', 'Fragmented MP4, or one with packed sizes, is not accepted.');
  }
  for (const table of TABLES) assertFewSamples(table, content);
}

function assertFewSamples({ name, entryBytes, samplesAt }: (typeof TABLES)[number], content: Buffer): void {
  let samples = 0;
  for (let at = content.indexOf(name); at !== -1; at = content.indexOf(name, at + name.length)) {
    for (const entry of entriesOf(content, at, entryBytes)) {
      // An entry of zero samples counts as one: the demuxer would read it again for each of a million samples.
      samples += Math.max(1, content.readUInt32BE(entry + samplesAt));
      if (samples > MAX_TABLE_SAMPLES) throw new VideoProblem('too_many_frames', 'The video has too many samples.');
    }
  }
}

/** The offsets of the entries that are present, regardless of the declared number. */
function* entriesOf(content: Buffer, at: number, entryBytes: number): Generator<number> {
  const first = at + TABLE_HEADER_BYTES;
  const declared = first <= content.length ? content.readUInt32BE(first - 4) : 0;
  for (let i = 0; i < declared && first + (i + 1) * entryBytes <= content.length; i++) yield first + i * entryBytes;
}
