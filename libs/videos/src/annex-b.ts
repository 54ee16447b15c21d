import type { ReadVideo } from './read-video';

const START_CODE = Buffer.from([0, 0, 0, 1]);

/** A NAL unit in an elementary stream: a start code, then the unit. */
export function withStartCode(unit: Uint8Array): Buffer {
  return Buffer.concat([START_CODE, unit]);
}

/** Everything that a decoder needs, without a container. */
export function toElementaryStream({ parameters, pictures }: ReadVideo): Buffer {
  const units = [parameters.sequence, ...parameters.pictures, ...pictures.flatMap(({ slices }) => slices)];
  return Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
}
