import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ImageReply, resultOf } from '@kinora/images';
import { BackgroundProcess, type BackgroundProgram } from '@kinora/service-kit';
import type { ImageView } from '../judging/engine';
import { ModerationConfig } from '../moderation.config';

/** A large file to decode and to score, or the samples of decoded views to score. */
export type ImageWork = { bytes: Buffer; withJpeg: boolean } | { samples: Buffer[] };

// In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
export const IMAGE_PROGRAM: BackgroundProgram = {
  file: path.join(__dirname, `image.worker${path.extname(__filename)}`),
};
/** Longer than the interval of the canaries, so that an idle service does not load the model every minute. */
const IDLE_MS = 5 * 60_000;

/**
 * The process that runs the image model and decodes large images, at low priority. It is a process and not a thread, because a
 * thread would delay the event loops of other services.
 */
@Injectable()
export class ImageProcess implements OnApplicationShutdown {
  private readonly process: BackgroundProcess<ImageWork, ImageReply<ImageView[] | number[]>>;

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
  async score(samples: Buffer[], beginWithinMs: number | null): Promise<number[]> {
    return resultOf(await this.process.run({ samples }, beginWithinMs)) as number[];
  }

  onApplicationShutdown(): void {
    this.process.close();
  }
}
