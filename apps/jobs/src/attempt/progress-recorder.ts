import { Injectable } from '@nestjs/common';
import { JobRepository } from '../job/job.repository';
import { AttemptLookRepository } from './attempt-look.repository';
import type { AttemptProgress } from './attempt.row';
import { WorkBell } from './work-bell';

/** Long enough to gather what comes in together, too short to be noticed. */
const GATHER_MS = 5;

interface Waiting {
  progress: AttemptProgress;
  resolve: (isOurs: boolean) => void;
  reject: (error: unknown) => void;
}

/** Writes down what providers say of attempts: each as soon as it is known, all that come together in one statement. */
@Injectable()
export class ProgressRecorder {
  private waiting: Waiting[] = [];

  constructor(
    private readonly looks: AttemptLookRepository,
    private readonly jobs: JobRepository,
    private readonly bell: WorkBell,
  ) {}

  /** False when the attempt had ended or changed hands: then what was done for it is nobody's. */
  record(progress: AttemptProgress): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ progress, resolve, reject });
      if (this.waiting.length === 1) setTimeout(() => void this.flush(), GATHER_MS);
    });
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    try {
      const ours = await this.write(batch.map(({ progress }) => progress));
      for (const { progress, resolve } of batch) resolve(ours.has(progress.job_id));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private async write(progress: AttemptProgress[]): Promise<Set<string>> {
    const ours = new Set(await this.looks.recordProgress(progress));
    const started = progress.filter(({ state, job_id }) => STARTED.has(state) && ours.has(job_id));
    if (started.length > 0) await this.jobs.start(started.map(({ job_id }) => job_id));
    const ready = started.filter(({ state }) => state === 'collecting');
    if (ready.length > 0) {
      await this.jobs.extendForCollection(ready.map(({ job_id }) => job_id));
      this.bell.ring('collect');
    }
    return ours;
  }
}

const STARTED = new Set<AttemptProgress['state']>(['answering', 'running', 'collecting']);
