import { VideoProblem } from './video-problem';

const START_CODE = Buffer.from([0, 0, 1]);

/** The type of an H.264 NAL unit, from its first byte. */
export function nalTypeOf(unit: Uint8Array): number {
  return (unit[0] ?? 0) & 31;
}

/**
 * In a container a length field ends a unit, in an elementary stream the next start code. A unit with a start code
 * inside, which H.264 forbids, would be two units for the decoder used in moderation and another one for a player.
 * @throws VideoProblem
 */
export function assertOneUnit(unit: Uint8Array): void {
  if (Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength).includes(START_CODE)) {
    throw new VideoProblem('damaged', 'A part of the video holds the beginning of another one.');
  }
}
