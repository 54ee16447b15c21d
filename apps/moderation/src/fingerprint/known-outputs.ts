import { Injectable } from '@nestjs/common';
import { ImageDecoder } from '../image/image-decoder';
import { detailOf, MIN_DETAIL } from '../image/perceptual-hash';
import type { LoadedImage, Plane } from '../judging/engine';
import { askedHashesOf } from './asked-hash';
import { FingerprintRepository, type KnownOutput } from './fingerprint.repository';

/**
 * Of the strong bits. `npm run bench -- moderation` measures the copies that are found and the other images that are taken for one
 * of ours.
 */
export const MAX_DISTANCE_BITS = 9;

/** Finds the outputs of this service that a file shows. */
@Injectable()
export class KnownOutputs {
  constructor(
    private readonly decoder: ImageDecoder,
    private readonly fingerprints: FingerprintRepository,
  ) {}

  /** The first picture that is known ends the search. @throws UnreadableImage, VideoProblem */
  async findLike(pictures: AsyncIterable<LoadedImage> | Iterable<LoadedImage>): Promise<KnownOutput | null> {
    for await (const picture of pictures) {
      for (const plane of await this.decoder.planesOf(picture)) {
        const known = await this.findView(plane);
        if (known) return known;
      }
    }
    return null;
  }

  /** Most copies are not cropped, so the hash of the whole is asked first. */
  private async findView(plane: Plane): Promise<KnownOutput | null> {
    if (detailOf(plane) < MIN_DETAIL) return null;
    for (const asked of askedHashesOf(plane)) {
      const known = await this.fingerprints.findNear(asked, MAX_DISTANCE_BITS);
      if (known) return known;
    }
    return null;
  }
}
