import { BitReader } from './bit-reader';
import { VideoProblem } from './video-problem';

/** What H.264's sequence parameter set declares for every picture; the sides are those that a player shows. */
export interface SequenceParameters {
  width: number;
  height: number;
  /** The samples that are cropped at the left and at the top of what the encoder wrote. */
  left: number;
  top: number;
}

/** Profiles whose parameter sets declare the colour format; the others have 8 bits and 4:2:0. */
const PROFILES_WITH_CHROMA_FORMAT = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];
const CHROMA_420 = 1;
const MACROBLOCK_PX = 16;
/** In 4:2:0 and without fields, the crop counts in steps of one chroma sample. */
const CROP_STEP_PX = 2;
const HEADER_BYTES = 4;

/**
 * The parameter set decides what a decoder shows, regardless of the boxes around it.
 * @throws VideoProblem for one that cannot be read, and for kinds of video that not every player supports
 */
export function readSequenceParameters(nalUnit: Uint8Array): SequenceParameters {
  try {
    return parse(nalUnit);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new VideoProblem('damaged', 'The H.264 parameters of the video cannot be read.', { cause });
  }
}

// In the order of H.264, 7.3.2.1.1; fields that are read and discarded lie between those that are used.
function parse(nalUnit: Uint8Array): SequenceParameters {
  const profile = nalUnit[1] ?? 0;
  const bits = new BitReader(withoutEmulationPrevention(nalUnit.subarray(HEADER_BYTES)));
  bits.readUnsigned();
  if (PROFILES_WITH_CHROMA_FORMAT.includes(profile)) assertPlainColour(bits);
  bits.readUnsigned();
  skipPictureOrder(bits);
  bits.readUnsigned();
  bits.readBit();
  const widthInMacroblocks = bits.readUnsigned() + 1;
  const heightInMacroblocks = bits.readUnsigned() + 1;
  if (bits.readBit() === 0) throw new VideoProblem('unsupported', 'Interlaced video is not accepted.');
  bits.readBit();
  const [left, right, top, bottom] = readCrop(bits);
  return {
    width: widthInMacroblocks * MACROBLOCK_PX - CROP_STEP_PX * (left + right),
    height: heightInMacroblocks * MACROBLOCK_PX - CROP_STEP_PX * (top + bottom),
    left: CROP_STEP_PX * left,
    top: CROP_STEP_PX * top,
  };
}

function assertPlainColour(bits: BitReader): void {
  const isPlain = [CHROMA_420, 0, 0].every((expected) => bits.readUnsigned() === expected);
  if (!isPlain) throw new VideoProblem('unsupported', 'The video is not in 8-bit 4:2:0 colour.');
  bits.readBit();
  const hasScalingLists = bits.readBit() === 1;
  if (hasScalingLists) [16, 16, 16, 16, 16, 16, 64, 64].forEach((length) => skipScalingList(bits, length));
}

function skipScalingList(bits: BitReader, length: number): void {
  if (bits.readBit() === 0) return;
  let last = 8;
  for (let i = 0; i < length; i++) {
    const next = (last + bits.readSigned() + 256) % 256;
    // Zero ends the list: the last value holds for the rest.
    if (next === 0) return;
    last = next;
  }
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.readUnsigned();
  if (type === 0) bits.readUnsigned();
  if (type !== 1) return;
  bits.readBit();
  bits.readSigned();
  bits.readSigned();
  const cycle = bits.readUnsigned();
  for (let i = 0; i < cycle; i++) bits.readSigned();
}

function readCrop(bits: BitReader): [left: number, right: number, top: number, bottom: number] {
  if (bits.readBit() === 0) return [0, 0, 0, 0];
  return [bits.readUnsigned(), bits.readUnsigned(), bits.readUnsigned(), bits.readUnsigned()];
}

/** H.264 inserts a 3 after two zero bytes, so that no start code can appear inside. */
function withoutEmulationPrevention(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, i) => !(byte === 3 && i >= 2 && bytes[i - 1] === 0 && bytes[i - 2] === 0));
}
