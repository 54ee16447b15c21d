import type { ShownImage } from '../judging/engine';
import { detailOf, distanceBetween, hashOf, MIN_DETAIL, type PerceptualHash } from '../image/perceptual-hash';

/** Frames of a video that differ in fewer bits show the same. */
const SAME_PICTURE_BITS = 16;

/** What the files of an output show, gathered while the gate decodes them. */
export class OutputPictures {
  private readonly hashes = new Map<string, PerceptualHash[]>();

  add(fileSha256: string, image: ShownImage): void {
    const known = this.of(fileSha256);
    this.hashes.set(fileSha256, known);
    for (const { plane } of image.views()) {
      if (detailOf(plane) < MIN_DETAIL) continue;
      const hash = hashOf(plane);
      const isNew = known.every((other) => distanceBetween(hash, other) >= SAME_PICTURE_BITS);
      if (isNew) known.push(hash);
    }
  }

  /** The hashes of the pictures of a file; none for one that shows nothing that could be recognised. */
  of(fileSha256: string): PerceptualHash[] {
    return this.hashes.get(fileSha256) ?? [];
  }
}
