import { assertOneUnit, nalTypeOf } from './bit-reader';
import { VideoProblem } from './video-problem';

const SEQUENCE_PARAMETERS = 7;
const PICTURE_PARAMETERS = 8;

/** What a decoder needs before the first picture: the parameter sets of H.264. */
export interface DecoderParameters {
  sequence: Uint8Array;
  pictures: Uint8Array[];
}

/** The avcC box of MP4 (ISO/IEC 14496-15), and the width of the length fields before the NAL units of its packets. */
export function readAvcC(box: Uint8Array): { parameters: DecoderParameters; lengthBytes: number } {
  const lengthBytes = ((box[4] ?? 0) & 3) + 1;
  const sequences = readSets(box, 6, (box[5] ?? 0) & 31, SEQUENCE_PARAMETERS);
  const pictures = readSets(box, sequences.end + 1, box[sequences.end] ?? 0, PICTURE_PARAMETERS);
  const [sequence] = sequences.sets;
  // With more than one parameter set, the size could change within the video.
  if (sequences.sets.length !== 1 || sequence === undefined || sequence.length < 4 || pictures.sets.length === 0) {
    throw new VideoProblem('damaged', 'The H.264 parameters of the video cannot be read.');
  }
  return { parameters: { sequence, pictures: pictures.sets }, lengthBytes };
}

/**
 * Only units of the given type: any other unit, such as a message or a picture, would reach the decoder and the
 * clients.
 */
function readSets(box: Uint8Array, start: number, count: number, type: number): { sets: Uint8Array[]; end: number } {
  const sets: Uint8Array[] = [];
  let end = start;
  for (let i = 0; i < count; i++) {
    const bytes = ((box[end] ?? 0) << 8) | (box[end + 1] ?? 0);
    const set = box.subarray(end + 2, end + 2 + bytes);
    if (set.length < bytes || nalTypeOf(set) !== type) {
      throw new VideoProblem('damaged', 'The H.264 parameters of the video cannot be read.');
    }
    assertOneUnit(set);
    sets.push(set);
    end += 2 + bytes;
  }
  return { sets, end };
}

/** The high profiles repeat here that the colour is 8-bit 4:2:0. */
const HIGH_PROFILE_TAIL = [0xfd, 0xf8, 0xf8, 0];
const HIGH_PROFILES = [100, 110, 122, 144];

/** Written anew instead of copied, so that it contains only parameter sets; length fields of NAL units have 4 bytes. */
export function writeAvcC({ sequence, pictures }: DecoderParameters): Uint8Array {
  const profile = sequence[1] ?? 0;
  return Buffer.concat([
    Buffer.from([1, ...sequence.subarray(1, 4), 0xff, 0xe1]),
    withLength(sequence),
    Buffer.from([pictures.length]),
    ...pictures.map(withLength),
    Buffer.from(HIGH_PROFILES.includes(profile) ? HIGH_PROFILE_TAIL : []),
  ]);
}

function withLength(set: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([set.length >> 8, set.length & 0xff]), set]);
}

/** The codec name by RFC 6381: profile, constraints and level in hexadecimal. */
export function codecOf({ sequence }: DecoderParameters): string {
  return `avc1.${Buffer.from(sequence.subarray(1, 4)).toString('hex')}`;
}
