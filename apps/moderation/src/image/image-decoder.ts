import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { callDeadline, currentCall, remainingMs } from '@kinora/bus';
import { ImageProblem, MOST_PIXELS_IN_PLACE } from '@kinora/images';
import { FairSemaphore, Semaphore, SemaphoreTimeout } from '@kinora/service-kit';
import type { ImageView, LoadedImage, Plane, ShownImage } from '../judging/engine';
import { ModerationConfig } from '../moderation.config';
import { decodesUnderWay, heldFileBytes } from '../moderation.metrics';
import { type DecodedView, decodeFile, decodeImage, readLayout } from './decode-image';
import { ImageProcess } from './image-process';
import { ScoreCache } from './score-cache';

/** A file that is not a complete image. A retry does not help. */
export class UnreadableImage extends ImageProblem {
  constructor(
    /** The request's field, for an input; null for an output. */
    readonly param: string | null,
    { reason, message }: ImageProblem,
  ) {
    super(reason, message);
  }
}

export interface DecodeOptions {
  withJpeg: boolean;
  /** A canary is scored each time, because a remembered score would say nothing about the model. */
  isCanary?: boolean;
}

/** What the file alone shows, without the texts of the job. */
export type DecodedImage = Omit<ShownImage, 'hasYoungContext'>;

/** The size of libuv's thread pool, on which the image library works: one more decode would only hold memory. */
const DECODER_THREADS = 4;

/**
 * Bounds the resources that images take of this process: the bytes of files in memory, and the concurrent decodes, of which
 * one account has at most half. Work whose caller's deadline has passed is never begun.
 */
@Injectable()
export class ImageDecoder {
  private readonly fileBytes: Semaphore;
  private readonly images: FairSemaphore;
  /** A semaphore of their own, because a video keeps its permit while its frames wait for theirs. */
  private readonly videos: FairSemaphore;
  private readonly scores = new ScoreCache();

  constructor(
    { decodesAtOnce, filesMaxBytes }: ModerationConfig,
    private readonly process: ImageProcess,
  ) {
    const decodes = decodesAtOnce || Math.min(availableParallelism(), DECODER_THREADS);
    this.fileBytes = new Semaphore(filesMaxBytes);
    this.images = new FairSemaphore(decodes);
    this.videos = new FairSemaphore(decodes);
    heldFileBytes.readBy({}, () => this.fileBytes.heldPermits);
    decodesUnderWay.readBy({}, () => this.images.heldPermits + this.videos.heldPermits);
  }

  /**
   * Runs work that holds files of `bytes` bytes in all. A request acquires the permits for all of its files at once: with one
   * acquisition a file, requests could block each other (deadlock).
   * @throws ApiError `capacity`
   */
  withFiles<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    return this.inTime(work, (timely, deadline) => this.fileBytes.run(timely, { permits: bytes, deadline }));
  }

  /** @throws ApiError `capacity`. For a file that is not a complete image, `views` throws UnreadableImage. */
  decode(image: LoadedImage, { withJpeg, isCanary = false }: DecodeOptions): Promise<DecodedImage> {
    return this.withPermit(this.images, async () => {
      const views = await this.toViews(image, { withJpeg, isCanary }).then(
        (decoded) => () => decoded,
        (problem: Error) => {
          if (problem instanceof SemaphoreTimeout) throw problem;
          return (): ImageView[] => {
            throw problem instanceof ImageProblem ? new UnreadableImage(image.param, problem) : problem;
          };
        },
      );
      return { param: image.param, sha256: image.sha256, views };
    });
  }

  /** For a file that is looked up and not judged: a stranger's file takes no time of the image model. @throws UnreadableImage, ApiError */
  planesOf(image: LoadedImage): Promise<Plane[]> {
    return this.withPermit(this.images, async () => {
      try {
        const views =
          (await this.decodeInPlace(image, false)) ?? (await this.process.decode(image.bytes, false, remainingMs()));
        return views.map(({ plane }) => plane);
      } catch (problem) {
        throw problem instanceof ImageProblem ? new UnreadableImage(image.param, problem) : problem;
      }
    });
  }

  /** @throws ImageProblem */
  private async toViews(image: LoadedImage, { withJpeg, isCanary = false }: DecodeOptions): Promise<ImageView[]> {
    const views = await this.decodeInPlace(image, withJpeg);
    if (views === null) return this.process.decode(image.bytes, withJpeg, remainingMs());
    const samples = views.map(({ sample }) => sample);
    const score = (unknown: Buffer[]): Promise<number[]> => this.process.score(unknown, remainingMs());
    const scores = await this.scores[isCanary ? 'renew' : 'complete'](samples, score);
    return views.map(({ plane, jpeg }, at) => ({ plane, jpeg, sexual: scores[at] ?? NaN }));
  }

  /** Null for a large file. */
  private async decodeInPlace(image: LoadedImage, withJpeg: boolean): Promise<DecodedView[] | null> {
    const { bytes, pixels } = image;
    if (pixels) return decodeImage(image, { withJpeg });
    const layout = await readLayout(bytes);
    const isLarge = layout.width * layout.height > MOST_PIXELS_IN_PLACE;
    return isLarge ? null : decodeFile(bytes, layout, { withJpeg });
  }

  /** Forgets all scores. */
  distrustScores(): void {
    this.scores.clear();
  }

  /** @throws ApiError `capacity` */
  withVideo<Result>(watch: () => Promise<Result>): Promise<Result> {
    return this.withPermit(this.videos, watch);
  }

  private withPermit<Result>(decodes: FairSemaphore, work: () => Promise<Result>): Promise<Result> {
    const account = currentCall()?.accountId;
    return this.inTime(work, (timely, deadline) => decodes.run(account, timely, { deadline }));
  }

  private async inTime<Result>(
    work: () => Promise<Result>,
    grant: (timely: () => Promise<Result>, deadline: AbortSignal | null) => Promise<Result>,
  ): Promise<Result> {
    const timely = (): Promise<Result> => {
      assertAwaited();
      return work();
    };
    try {
      return await grant(timely, callDeadline());
    } catch (error) {
      throw error instanceof SemaphoreTimeout ? ApiError.unavailable('Content moderation') : error;
    }
  }
}

/** A permit that arrives after the caller's deadline is of no use. */
function assertAwaited(): void {
  const leftMs = remainingMs();
  if (leftMs !== null && leftMs <= 0) throw new SemaphoreTimeout();
}
