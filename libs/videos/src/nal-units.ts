import type { DecoderParameters } from './decoder-parameters';
import { assertOneUnit, nalTypeOf } from './bit-reader';
import { VideoProblem } from './video-problem';

const SLICE = 1;
const SLICE_OF_IDR = 5;
const PARTITIONS_OF_SLICE = [2, 3, 4];
const PARAMETER_SETS = [7, 8];

/** One picture in the order of decoding: the NAL units with its pixels, and nothing else. */
export interface CodedPicture {
  slices: Uint8Array[];
  /** Whether decoding can begin here. */
  isKey: boolean;
}

/**
 * Keeps the NAL units of a packet that a decoder draws. It drops messages (SEI), where encoders and providers write
 * metadata, layers that only some players show, and padding. So moderation judges everything that a viewer can see.
 */
export function readPicture(packet: Uint8Array, lengthBytes: number, parameters: DecoderParameters): CodedPicture {
  const known = [parameters.sequence, ...parameters.pictures].map((set) => Buffer.from(set));
  const slices: Uint8Array[] = [];
  for (const unit of splitNalUnits(packet, lengthBytes)) {
    const type = nalTypeOf(unit);
    if (type === SLICE || type === SLICE_OF_IDR) slices.push(unit);
    else if (PARTITIONS_OF_SLICE.includes(type)) {
      throw new VideoProblem('unsupported', 'The video uses data partitioning, which players do not show.');
    } else if (PARAMETER_SETS.includes(type) && !known.some((set) => set.equals(unit))) {
      throw new VideoProblem('unsupported', 'The video changes its H.264 parameters after its beginning.');
    }
  }
  if (slices.length === 0) throw new VideoProblem('damaged', 'A packet of the video holds no picture.');
  return { slices, isKey: slices.every((unit) => nalTypeOf(unit) === SLICE_OF_IDR) };
}

function splitNalUnits(packet: Uint8Array, lengthBytes: number): Uint8Array[] {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  const units: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const start = offset + lengthBytes;
    const length = start <= bytes.length ? bytes.readUIntBE(offset, lengthBytes) : Infinity;
    if (length === 0 || start + length > bytes.length) {
      throw new VideoProblem('damaged', 'A packet of the video is cut off.');
    }
    const unit = bytes.subarray(start, start + length);
    assertOneUnit(unit);
    units.push(unit);
    offset = start + length;
  }
  return units;
}

/** A picture as MP4 stores it: each NAL unit after its length in 4 bytes. */
export function toPacket({ slices }: CodedPicture): Buffer {
  return Buffer.concat(slices.flatMap((unit) => [lengthOf(unit), unit]));
}

function lengthOf(unit: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(unit.length);
  return length;
}
