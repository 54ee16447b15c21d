import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { type FrameSampling, findDecodingProblem } from '@kinora/videos';
import { ModerationConfig } from '../moderation.config';

/**
 * Many times a cold start of the built-in decoder: while all services start on a busy machine, a timeout would disable the
 * video models.
 */
const TRIAL_TIMEOUT_MS = 60_000;
/** A decoder that an operator installs later is found without a restart. */
const TRY_AGAIN_MS = 10_000;

/** Whether this process can decode videos; otherwise no video passes. */
@Injectable()
export class VideoDecoder implements OnApplicationBootstrap {
  private readonly sampling: FrameSampling;
  private trial: { problem: Promise<string | null>; endsAtMs: number } | null = null;

  constructor(
    { ffmpegPath, builtInDecoder }: ModerationConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.sampling = { ffmpegPath, builtInDecoder, timeoutMs: TRIAL_TIMEOUT_MS };
  }

  /** The start does not wait for this test, because images need no video decoder. */
  onApplicationBootstrap(): void {
    void this.findProblem();
  }

  /** Null, or why videos cannot be judged. */
  findProblem(): Promise<string | null> {
    if (this.trial === null || performance.now() >= this.trial.endsAtMs) this.trial = this.begin();
    return this.trial.problem;
  }

  private begin(): { problem: Promise<string | null>; endsAtMs: number } {
    const trial = { problem: findDecodingProblem(this.sampling), endsAtMs: Number.POSITIVE_INFINITY };
    void trial.problem.then((problem) => {
      if (problem === null) return;
      trial.endsAtMs = performance.now() + TRY_AGAIN_MS;
      this.logger.error({ problem }, 'videos_cannot_be_judged');
    });
    return trial;
  }
}
