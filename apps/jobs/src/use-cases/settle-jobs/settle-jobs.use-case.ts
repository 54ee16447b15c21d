import { Injectable } from '@nestjs/common';
import { JobRepository } from '../../job/job.repository';
import { Settlement } from '../../job/settlement';

/** Repeats captures and refunds that billing has not acknowledged, until it has. */
@Injectable()
export class SettleJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly settlement: Settlement,
  ) {}

  /** @throws ApiError capacity while billing cannot be reached; the rest waits for the next round. */
  async execute(): Promise<number> {
    const unsettled = await this.jobs.listUnsettled();
    await Promise.all(unsettled.map((job) => this.settlement.settle(job)));
    return unsettled.length;
  }
}
