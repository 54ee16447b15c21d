import type { Engine, Opinion, ShownImage } from '../judging/engine';
import { versionOf } from '../judging/sha256';
import type { HashList } from './hash-list';
import type { KnownImage } from './known-image';
import {
  type PerceptualHash,
  detailOf,
  distanceBetween,
  hashesOfAllOrientations,
  MIN_DETAIL,
  qualityOf,
} from './perceptual-hash';

/**
 * Measured on the test image. Copies that were cropped, stretched, scaled, blurred, brightened and re-encoded, each alone or
 * all at once, differ in at most 50 bits from the nearest reference. Unrelated images differ in 128 of 256 bits, with a
 * standard deviation of 8. Over all references and orientations, the nearest of the gradients, noise, mosaics and scenes
 * differs in 98 bits. The bound of 64 lies between, eight standard deviations from chance.
 */
const MAX_DISTANCE_BITS = 64;

/** One view of the image, and the hashes of its rotations and reflections. */
interface HashedImage {
  detail: number;
  quality: number;
  hashes: readonly PerceptualHash[];
}

/** Blocks a known image: the identical file, or an image that looks the same to a person. */
export class ImageHashEngine implements Engine<ShownImage> {
  readonly name = 'hash';
  readonly version: string;

  constructor(
    private readonly known: readonly KnownImage[],
    private readonly lists: readonly HashList[] = [],
  ) {
    this.version = versionOf([known.map(({ sha256 }) => sha256), lists.map(({ version }) => version)]);
  }

  get listNames(): string[] {
    return this.lists.map(({ reason }) => reason.replace(/^hash_list:/, ''));
  }

  judge(image: ShownImage): Opinion {
    return { objection: this.findObjection(image), scores: {} };
  }

  findObjection({ views, sha256 }: ShownImage): string | null {
    const same =
      this.known.find((image) => image.sha256 === sha256) ?? this.lists.find((list) => list.sha256.has(sha256));
    if (same) return same.reason;
    const seen = views().map(({ plane }) => ({
      detail: detailOf(plane),
      quality: qualityOf(plane),
      hashes: hashesOfAllOrientations(plane),
    }));
    const alike = this.known.find((image) => isKnown(seen, image)) ?? this.lists.find((list) => isListed(seen, list));
    return alike?.reason ?? null;
  }
}

function isKnown(seen: readonly HashedImage[], { hashes }: KnownImage): boolean {
  const visible = seen.filter(({ detail }) => detail >= MIN_DETAIL).flatMap((image) => image.hashes);
  return hashes.some((reference) => visible.some((hash) => distanceBetween(hash, reference) <= MAX_DISTANCE_BITS));
}

/** External lists hold one hash for each image, made by another program, and their own distance bound. */
function isListed(seen: readonly HashedImage[], { hashes, minQuality }: HashList): boolean {
  const reliable = seen.filter(({ quality }) => quality >= minQuality).flatMap((image) => image.hashes);
  return reliable.some((hash) => hashes.hasNear(hash));
}
