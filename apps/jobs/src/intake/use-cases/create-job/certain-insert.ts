import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AbandonedCreations } from '../../../ending/abandoned-creations';
import { JobInsertRepository, type PaidJob } from '../../../job/job-insert.repository';
import type { JobRow } from '../../../job/job.entity';

/** The pause between two attempts at taking back a job of which it is unknown whether it is stored. */
const REPEAT_EVERY_MS = 250;

/**
 * Inserts jobs, and fails only for jobs that are not stored: a connection that is lost in the INSERT leaves that open, and an error
 * would tell the caller that there is no job. With an Idempotency-Key the repeat finds the job, so it stays.
 */
@Injectable()
export class CertainInsert {
  constructor(
    private readonly jobs: JobInsertRepository,
    private readonly abandonedCreations: AbandonedCreations,
  ) {}

  serverRun(): Promise<string> {
    return this.jobs.serverRun();
  }

  async insert(jobs: PaidJob[]): Promise<PromiseSettledResult<JobRow | null>[]> {
    const outcomes = await this.jobs.insert(jobs);
    const unknown = jobs.filter((job, place) => outcomes[place]?.status === 'rejected' && job.idempotencyKey === null);
    await Promise.all(unknown.map((job) => this.takeBack(job)));
    return outcomes;
  }

  /** Until it is certain, or until the caller has given the creation up, which takes it back itself. */
  private async takeBack({ job: { id: job_id, account_id }, caller }: PaidJob): Promise<void> {
    const deadlineAtMs = caller.call?.deadlineAtMs ?? 0;
    const abandon = () => this.abandonedCreations.takeBack([{ account_id, job_id }]).catch(() => ({ settled: [] }));
    while ((await abandon()).settled.length === 0 && performance.now() < deadlineAtMs) await delay(REPEAT_EVERY_MS);
  }
}
