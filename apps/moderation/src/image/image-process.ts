import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ImageReply, resultOf } from '@kinora/images';
import { BackgroundProcess, type BackgroundProgram, SemaphoreTimeout } from '@kinora/service-kit';
import type { ImageView } from '../judging/engine';
import { ModerationConfig } from '../moderation.config';

/** A large file to decode and to score, or the samples of decoded views to score. */
export type ImageWork = { bytes: Buffer; withJpeg: boolean } | { samples: Buffer[] };

// In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
export const IMAGE_PROGRAM: BackgroundProgram = {
  file: path.join(__dirname, `image.worker${path.extname(__filename)}`),
};
/** A batch costs a tenth less for each image than single ones, takes one permit of the machine, and 50 MB. */
const BATCH = 4;
/** Longer than the interval of the canaries, so that an idle service does not load the model every minute. */
const IDLE_MS = 5 * 60_000;

/** The samples of one image, which wait for the batch before. */
interface WaitingSamples {
  samples: Buffer[];
  beginByMs: number;
  resolve: (scores: number[]) => void;
  reject: (problem: unknown) => void;
}

/**
 * The process that runs the image model and decodes large images. It is a process and not a thread, because a thread would share the
 * processor time of moderation's event loop.
 */
@Injectable()
export class ImageProcess implements OnApplicationShutdown {
  private readonly process: BackgroundProcess<ImageWork, ImageReply<ImageView[] | number[]>>;
  private readonly waiting: WaitingSamples[] = [];
  private isScoring = false;

  constructor({ imageProgram }: ModerationConfig) {
    this.process = new BackgroundProcess(imageProgram ?? IMAGE_PROGRAM, IDLE_MS);
  }

  /** Undefined while there is none. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  /** @throws ImageProblem; SemaphoreTimeout if it was not begun in time; Error if the process ended. */
  async decode(bytes: Buffer, withJpeg: boolean, beginWithinMs: number | null): Promise<ImageView[]> {
    return resultOf(await this.process.run({ bytes, withJpeg }, beginWithinMs)) as ImageView[];
  }

  /** @returns how sexual each sample is, 0 to 1. @throws as above */
  score(samples: Buffer[], beginWithinMs: number | null): Promise<number[]> {
    const beginByMs = beginWithinMs === null ? Infinity : performance.now() + beginWithinMs;
    const scores = new Promise<number[]>((resolve, reject) =>
      this.waiting.push({ samples, beginByMs, resolve, reject }),
    );
    if (!this.isScoring) void this.scoreWaiting();
    return scores;
  }

  /** Samples that arrive while a batch is under way form the next ones. */
  private async scoreWaiting(): Promise<void> {
    this.isScoring = true;
    while (this.waiting.length > 0) await this.scoreBatch(takeBatch(this.waiting));
    this.isScoring = false;
  }

  private async scoreBatch(batch: WaitingSamples[]): Promise<void> {
    try {
      const leftMs = Math.max(...batch.map(({ beginByMs }) => beginByMs)) - performance.now();
      if (leftMs <= 0) throw new SemaphoreTimeout();
      const samples = batch.flatMap((one) => one.samples);
      const scores = resultOf(await this.process.run({ samples }, leftMs === Infinity ? null : leftMs)) as number[];
      for (const one of batch) one.resolve(scores.splice(0, one.samples.length));
    } catch (problem) {
      for (const { reject } of batch) reject(problem);
    }
  }

  onApplicationShutdown(): void {
    this.process.close();
  }
}

/** Takes the samples of at least one image. */
function takeBatch(waiting: WaitingSamples[]): WaitingSamples[] {
  const batch: WaitingSamples[] = [];
  for (let samples = 0; waiting[0] && (samples === 0 || samples + waiting[0].samples.length <= BATCH);) {
    samples += waiting[0].samples.length;
    batch.push(...waiting.splice(0, 1));
  }
  return batch;
}
