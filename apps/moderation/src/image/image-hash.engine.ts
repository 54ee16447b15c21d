import type { Engine, LoadedImage } from '../gate/engine';
import type { KnownImage } from './known-image';
import { readPlanes } from './luminance';
import { detailOf, distanceBetween, hashesOfAllOrientations } from './perceptual-hash';

/**
 * Measured on the test picture: copies that were cropped, stretched, scaled, blurred, brightened and re-encoded, each or all
 * at once, differ in at most 50 bits from the nearest reference. Unrelated pictures differ in 128 of 256 give or take 8, so
 * that over all references and orientations the nearest of gradients, noise, mosaics and scenes differs in 98. In between
 * lies 64: eight deviations from chance.
 */
const MAX_DISTANCE_BITS = 64;

/** Below this a picture is a blank sheet, and the bits of its hash are the rounding of its encoder. */
const MIN_DETAIL = 0.25;

/** Blocks a known image: the very file, or what a person would take for the same picture. */
export class ImageHashEngine implements Engine<LoadedImage> {
  readonly name = 'hash';

  constructor(private readonly known: readonly KnownImage[]) {}

  async findObjection({ bytes, sha256 }: LoadedImage): Promise<string | null> {
    const same = this.known.find((image) => image.sha256 === sha256);
    if (same) return same.reason;
    const hashes = (await readPlanes(bytes))
      .filter((plane) => detailOf(plane) >= MIN_DETAIL)
      .flatMap(hashesOfAllOrientations);
    const alike = this.known.find((image) =>
      image.hashes.some((reference) => hashes.some((hash) => distanceBetween(hash, reference) <= MAX_DISTANCE_BITS)),
    );
    return alike?.reason ?? null;
  }
}
