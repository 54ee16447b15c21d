import { VideoProblem } from './video-problem';

const START_CODE = Buffer.from([0, 0, 1]);

/** What a NAL unit of H.264 holds, as the number that its first byte gives. */
export function nalTypeOf(unit: Uint8Array): number {
  return (unit[0] ?? 0) & 31;
}

/**
 * In a container the length says where a unit ends, in an elementary stream the next start code does. One that has a start
 * code inside, which H.264 forbids, would be two for the decoder that judges, and another one for a player.
 * @throws VideoProblem
 */
export function assertOneUnit(unit: Uint8Array): void {
  if (Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength).includes(START_CODE)) {
    throw new VideoProblem('damaged', 'A part of the video holds the beginning of another one.');
  }
}
