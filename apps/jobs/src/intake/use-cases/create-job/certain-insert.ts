import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { remainingMs } from '@kinora/bus';
import { ApiError } from '@kinora/contracts/shared/errors';
import { JobWithdrawal } from '../../../ending/job-withdrawal';
import { JobInsertRepository, type PaidJob } from '../../../job/job-insert.repository';
import type { JobRow } from '../../../job/job.entity';

/** The pause between two attempts at taking back a job of which it is unknown whether it is stored. */
const REPEAT_EVERY_MS = 250;

/**
 * Inserts a job, and fails only if it is not stored: a connection that is lost in the INSERT leaves that open, and an error would
 * tell the caller that there is no job. With an Idempotency-Key the repeat finds the job, so it stays.
 */
@Injectable()
export class CertainInsert {
  constructor(
    private readonly jobs: JobInsertRepository,
    private readonly withdrawal: JobWithdrawal,
  ) {}

  /** @throws ApiError capacity, also if another request has taken over */
  async insert(paid: PaidJob): Promise<JobRow> {
    const stored = await this.jobs.insert(paid).catch(async (error: unknown) => {
      if (paid.idempotencyKey === null) await this.takeBack(paid);
      throw error;
    });
    if (!stored) throw ApiError.unavailable('The service');
    return stored;
  }

  /** Until it is certain, or until the caller has given the creation up, which takes it back itself. */
  private async takeBack({ job: { id: job_id, account_id } }: PaidJob): Promise<void> {
    const abandon = () => this.withdrawal.takeBack([{ account_id, job_id }]).catch(() => ({ settled: [] }));
    while ((await abandon()).settled.length === 0 && (remainingMs() ?? 0) > 0) await delay(REPEAT_EVERY_MS);
  }
}
