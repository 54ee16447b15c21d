import { VideoProblem } from './video-problem';

/** A box of MP4 (ISO/IEC 14496-12): its type and where its content is in the file. */
export interface Box {
  type: string;
  start: number;
  end: number;
}

const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/** The boxes in sequence between two offsets. @throws VideoProblem if their sizes do not match the range */
export function* boxesBetween(bytes: Buffer, from: number, to: number): Generator<Box> {
  let offset = from;
  while (offset < to) {
    const box = readBox(bytes, offset, to);
    yield box;
    offset = box.end;
  }
}

function readBox(bytes: Buffer, offset: number, to: number): Box {
  if (offset + HEADER_BYTES > to) throw notWhole();
  const type = bytes.toString('latin1', offset + 4, offset + HEADER_BYTES);
  const size = bytes.readUInt32BE(offset);
  // Size one means "in the next 8 bytes", zero means "to the end of the file".
  if (size === 1) return readLargeBox(bytes, offset, to, type);
  const end = size === 0 ? to : offset + size;
  if (end > to || end < offset + HEADER_BYTES) throw notWhole();
  return { type, start: offset + HEADER_BYTES, end };
}

function readLargeBox(bytes: Buffer, offset: number, to: number, type: string): Box {
  if (offset + LARGE_HEADER_BYTES > to) throw notWhole();
  const end = offset + Number(bytes.readBigUInt64BE(offset + HEADER_BYTES));
  if (end > to || end < offset + LARGE_HEADER_BYTES) throw notWhole();
  return { type, start: offset + LARGE_HEADER_BYTES, end };
}

function notWhole(): VideoProblem {
  return new VideoProblem('damaged', 'The video is cut off or damaged.');
}
