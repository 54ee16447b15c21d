import { VideoProblem } from './video-problem';

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
