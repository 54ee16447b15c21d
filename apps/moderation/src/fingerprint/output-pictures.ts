import type { ShownImage } from '../judging/engine';
import { detailOf, distanceBetween, hashOf, MIN_DETAIL } from '../image/perceptual-hash';
import { luminancesOf } from './field-luminances';
import type { RecordedPicture } from './fingerprint.repository';

/** Frames of a video that differ in fewer bits show the same. */
const SAME_PICTURE_BITS = 16;

/** What the files of an output show, gathered while the gate decodes them. */
export class OutputPictures {
  private readonly pictures = new Map<string, RecordedPicture[]>();

  add(fileSha256: string, image: ShownImage): void {
    const known = this.of(fileSha256);
    this.pictures.set(fileSha256, known);
    for (const { plane } of image.views()) {
      if (detailOf(plane) < MIN_DETAIL) continue;
      const hash = hashOf(plane);
      const isNew = known.every((other) => distanceBetween(hash, other.hash) >= SAME_PICTURE_BITS);
      if (isNew) known.push({ hash, luminances: luminancesOf(plane) });
    }
  }

  /** The pictures of a file; none for one that shows nothing that could be recognised. */
  of(fileSha256: string): RecordedPicture[] {
    return this.pictures.get(fileSha256) ?? [];
  }
}
