import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { currentCall, remainingMs } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { FairSemaphore, Semaphore, SemaphoreTimeout } from '@kinora/service-kit';
import type { ImageView, LoadedImage, ShownImage } from '../judging/engine';
import { ModerationConfig } from '../moderation.config';
import { decodesUnderWay, heldFileBytes } from '../moderation.metrics';
import { decodeImage } from './decode-image';

/** The threads on which the image library works, in every process of Node: a further decode would only hold memory. */
const DECODER_THREADS = 4;

/**
 * Bounds what images take of this process: the bytes of the files that are in memory, and the decodes at once, of which one account
 * has at most half. Work waits no longer than the caller does: what has passed its deadline is never begun.
 */
@Injectable()
export class ImageDecoder {
  private readonly fileBytes: Semaphore;
  private readonly images: FairSemaphore;
  /** Of their own, since a video keeps its decode while its frames wait for theirs. */
  private readonly videos: FairSemaphore;

  constructor({ decodesAtOnce, filesMaxBytes }: ModerationConfig) {
    const decodes = decodesAtOnce || Math.min(availableParallelism(), DECODER_THREADS);
    this.fileBytes = new Semaphore(filesMaxBytes);
    this.images = new FairSemaphore(decodes);
    this.videos = new FairSemaphore(decodes);
    heldFileBytes.readBy({}, () => this.fileBytes.heldPermits);
    decodesUnderWay.readBy({}, () => this.images.heldPermits + this.videos.heldPermits);
  }

  /**
   * Does work with files of so many bytes in all. A request asks once for all of its files: if each held a part of what it
   * needs, none might get the rest.
   * @throws ApiError `capacity`
   */
  withFiles<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    return this.inTime(work, (timely, timeoutMs) => this.fileBytes.run(timely, { permits: bytes, timeoutMs }));
  }

  /** @throws ApiError `capacity`. What is no image is told by `views`, to each engine that looks. */
  decode(image: LoadedImage, options: { withJpeg: boolean }): Promise<ShownImage> {
    return this.withPermit(this.images, async () => {
      const views = await decodeImage(image, options).then(
        (decoded) => () => decoded,
        (problem: Error) => (): ImageView[] => {
          throw problem;
        },
      );
      return { param: image.param, sha256: image.sha256, views };
    });
  }

  /** @throws ApiError `capacity` */
  withVideo<Result>(watch: () => Promise<Result>): Promise<Result> {
    return this.withPermit(this.videos, watch);
  }

  private withPermit<Result>(decodes: FairSemaphore, work: () => Promise<Result>): Promise<Result> {
    const account = currentCall()?.accountId;
    return this.inTime(work, (timely, timeoutMs) => decodes.run(account, timely, { timeoutMs }));
  }

  private async inTime<Result>(
    work: () => Promise<Result>,
    grant: (timely: () => Promise<Result>, timeoutMs: number | null) => Promise<Result>,
  ): Promise<Result> {
    const timely = (): Promise<Result> => {
      assertAwaited();
      return work();
    };
    try {
      return await grant(timely, remainingMs());
    } catch (error) {
      throw error instanceof SemaphoreTimeout ? ApiError.unavailable('Content moderation') : error;
    }
  }
}

/** A permit that comes at the last moment is of no use to a caller who has just given up. */
function assertAwaited(): void {
  const leftMs = remainingMs();
  if (leftMs !== null && leftMs <= 0) throw new SemaphoreTimeout();
}
