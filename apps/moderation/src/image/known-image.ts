import type { Plane } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { decodeImage } from './decode-image';
import { type Crop, type PerceptualHash, hashOf } from './perceptual-hash';

/** An image that is never let through, and all hashes by which it is recognised. */
export interface KnownImage {
  /** What the decision records. */
  reason: string;
  sha256: string;
  hashes: PerceptualHash[];
}

/** A hash forgives up to about 1.5 % cut from a side, so references stand no further apart than twice that. */
const SIDE_CROPS = [0, 0.025, 0.05, 0.075];
/** Filling a frame of another ratio cuts two opposite sides, up to 22 % each from square to 16:9. */
const FRAME_CROPS = [0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22];

export async function toKnownImage(reason: string, bytes: Buffer): Promise<KnownImage> {
  const views = await decodeImage({ bytes }, { withJpeg: false });
  return {
    reason,
    sha256: sha256Of(bytes),
    hashes: views.flatMap(({ plane }) => hashesOfCrops(plane)),
  };
}

function hashesOfCrops(plane: Plane): PerceptualHash[] {
  return [...sideCrops(), ...frameCrops()].map((crop) => hashOf(plane, crop));
}

function sideCrops(): Crop[] {
  return SIDE_CROPS.flatMap((top) =>
    SIDE_CROPS.flatMap((right) =>
      SIDE_CROPS.flatMap((bottom) => SIDE_CROPS.map((left) => ({ top, right, bottom, left }))),
    ),
  );
}

function frameCrops(): Crop[] {
  return FRAME_CROPS.flatMap((share) => [
    { top: share, right: 0, bottom: share, left: 0 },
    { top: 0, right: share, bottom: 0, left: share },
  ]);
}
