import { Injectable } from '@nestjs/common';
import { Batcher } from '@kinora/bus';
import { WakeUp } from '@kinora/service-kit';
import { AttemptPollRepository } from './attempt-poll.repository';
import type { AttemptProgress } from './attempt.row';
import type { WokenLoop } from './woken-loop';

/** As many as a look shows at once. */
const MAX_ATTEMPTS = 200;
/** One is written down while the next is on its way; what comes meanwhile gathers. */
const MAX_CONCURRENT = 2;

interface Waiting {
  progress: AttemptProgress;
  resolve: (isOurs: boolean) => void;
  reject: (error: unknown) => void;
}

/** Writes down what providers say of attempts: each as soon as it is known, all that come together in one statement. */
@Injectable()
export class ProgressRecorder {
  private readonly batcher = new Batcher<Waiting>({
    maxItems: MAX_ATTEMPTS,
    maxConcurrent: MAX_CONCURRENT,
    // Nobody's are more pressing than another's.
    keyOf: () => '',
    work: (waiting) => this.serve(waiting),
  });

  constructor(
    private readonly polls: AttemptPollRepository,
    private readonly wakeUp: WakeUp<WokenLoop>,
  ) {}

  /** False when the attempt had ended or changed hands: then what was done for it is nobody's. */
  record(progress: AttemptProgress): Promise<boolean> {
    return new Promise((resolve, reject) => this.batcher.add({ progress, resolve, reject }));
  }

  private async serve(waiting: Waiting[]): Promise<void> {
    try {
      const ours = await this.write(waiting.map(({ progress }) => progress));
      for (const { progress, resolve } of waiting) resolve(ours.has(progress.job_id));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  private async write(progress: AttemptProgress[]): Promise<Set<string>> {
    const ours = new Set(await this.polls.recordProgress(progress));
    if (progress.some(({ state, job_id }) => state === 'collecting' && ours.has(job_id))) this.wakeUp.notify('collect');
    return ours;
  }
}
