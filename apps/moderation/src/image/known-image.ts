import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Opinion, Plane } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { decodeImage } from './decode-image';
import { hashesOfParts, type PerceptualHash, WHOLE } from './perceptual-hash';

/** A forbidden image, and all hashes by which it is recognised. */
export interface KnownImage {
  reason: string;
  sha256: string;
  hashes: PerceptualHash[];
}

/** A hash tolerates a crop of about 1.5 % of a side, so the references are at most twice that apart. */
const SIDE_CROPS = [0, 0.025, 0.05, 0.075];
const SIDES = SIDE_CROPS.flatMap((start) => SIDE_CROPS.map((crop) => ({ start, end: 1 - crop })));
/** Filling a frame of another aspect ratio crops two opposite sides, by up to 22 % each from square to 16:9. */
const FRAMES = [0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22].map((crop) => ({ start: crop, end: 1 - crop }));

export async function toKnownImage(reason: string, bytes: Buffer): Promise<KnownImage> {
  const views = await decodeImage({ bytes }, { withJpeg: false });
  return {
    reason,
    sha256: sha256Of(bytes),
    hashes: views.flatMap(({ plane }) => hashesOfCrops(plane)),
  };
}

function hashesOfCrops(plane: Plane): PerceptualHash[] {
  return [
    ...hashesOfParts(plane, SIDES, SIDES),
    ...hashesOfParts(plane, [WHOLE], FRAMES),
    ...hashesOfParts(plane, FRAMES, [WHOLE]),
  ];
}

/** The reason code of a decision that blocked this image. */
export const TEST_IMAGE_REASON = 'test_picture';

const FILE = path.join(__dirname, '../../assets/moderation-test.png');

/** The harmless image that every installation must block, so that no test needs real abuse material. */
export function readTestImage(): Promise<Buffer> {
  return readFile(FILE);
}

/** Whether every objection is to the test image: an objection to anything else makes it a real block. */
export function isOnlyTestImage(findings: readonly { opinion: Pick<Opinion, 'objection'> }[]): boolean {
  const objections = findings.map(({ opinion }) => opinion.objection).filter((objection) => objection !== null);
  return objections.length > 0 && objections.every((objection) => objection === TEST_IMAGE_REASON);
}
