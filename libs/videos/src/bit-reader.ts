import { VideoProblem } from './video-problem';

/** Reads the bits of H.264's parameter sets, first bit first. Past the end it throws a RangeError. */
export class BitReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  readBit(): number {
    const byte = this.bytes[this.position >> 3];
    if (byte === undefined) throw new RangeError('The parameter set has no more bits.');
    const bit = (byte >> (7 - (this.position & 7))) & 1;
    this.position += 1;
    return bit;
  }

  readBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + this.readBit();
    return value;
  }

  /** An unsigned Exp-Golomb code, `ue(v)` in H.264. */
  readUnsigned(): number {
    let zeros = 0;
    while (this.readBit() === 0) zeros += 1;
    if (zeros > 31) throw new RangeError('The Exp-Golomb code is longer than any number of H.264.');
    return 2 ** zeros - 1 + this.readBits(zeros);
  }

  /** A signed Exp-Golomb code, `se(v)` in H.264. */
  readSigned(): number {
    const code = this.readUnsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

const START_CODE = Buffer.from([0, 0, 1]);

/** The type of an H.264 NAL unit, from its first byte. */
export function nalTypeOf(unit: Uint8Array): number {
  return (unit[0] ?? 0) & 31;
}

/**
 * In a container a length field ends a unit, in an elementary stream the next start code. H.264 forbids a start
 * code inside a unit: the decoder used in moderation would read two units, and a player one.
 * @throws VideoProblem
 */
export function assertOneUnit(unit: Uint8Array): void {
  if (Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength).includes(START_CODE)) {
    throw new VideoProblem('damaged', 'A part of the video holds the beginning of another one.');
  }
}
