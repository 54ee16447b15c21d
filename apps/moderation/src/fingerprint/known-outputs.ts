import { Injectable } from '@nestjs/common';
import { ImageDecoder } from '../image/image-decoder';
import { detailOf, MIN_DETAIL } from '../image/perceptual-hash';
import type { LoadedImage, Plane } from '../judging/engine';
import { type AskedHash, askedHashesOf } from './asked-hash';
import { FingerprintRepository, type KnownOutput } from './fingerprint.repository';

/** Finds the outputs of this service that a file shows. */
@Injectable()
export class KnownOutputs {
  constructor(
    private readonly decoder: ImageDecoder,
    private readonly fingerprints: FingerprintRepository,
  ) {}

  /**
   * In two statements at most, however many pictures a video has: the first picture recognises most copies, and spares the decoder the
   * others. @throws UnreadableImage, VideoProblem
   */
  async findLike(pictures: AsyncIterable<LoadedImage> | Iterable<LoadedImage>): Promise<KnownOutput | null> {
    const others: AskedHash[] = [];
    let isFirst = true;
    for await (const picture of pictures) {
      const asked = (await this.decoder.planesOf(picture)).flatMap(askedOf);
      const known = isFirst ? await this.find(asked) : null;
      if (known) return known;
      if (!isFirst) others.push(...asked);
      isFirst = false;
    }
    return this.find(others);
  }

  private find(asked: readonly AskedHash[]): Promise<KnownOutput | null> {
    if (asked.length === 0) return Promise.resolve(null);
    return this.fingerprints.findCopied(asked);
  }
}

/** None for a blank sheet. Most copies are not cropped, so the hash of the whole is the first. */
function askedOf(plane: Plane): AskedHash[] {
  return detailOf(plane) < MIN_DETAIL ? [] : askedHashesOf(plane);
}
