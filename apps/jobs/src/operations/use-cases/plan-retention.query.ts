import { Injectable } from '@nestjs/common';
import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { AttemptMonths, JobMonths } from '../../job/job-months';

/** Which months of jobs and attempts are dropped, and when. */
@Injectable()
export class PlanRetention {
  constructor(
    private readonly jobs: JobMonths,
    private readonly attempts: AttemptMonths,
  ) {}

  async execute(): Promise<{ data: RetentionPlan[] }> {
    return { data: [await this.jobs.plan(), await this.attempts.plan()] };
  }
}
