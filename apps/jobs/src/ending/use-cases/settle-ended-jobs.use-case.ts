import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { PAGE } from '../../job/job.repository';
import { sweepRows } from '../../job/sweep';
import { EndedJobRepository } from '../ended-job.repository';
import { Settlement } from '../settlement';

/** Repeats captures and refunds until billing acknowledges them. */
@Injectable()
export class EndHolds {
  constructor(
    private readonly endedJobs: EndedJobRepository,
    private readonly settlement: Settlement,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    const jobs = await this.endedJobs.claimUnendedHolds();
    const ended = await sweepRows(jobs, this.logger, (job) => this.settlement.settleHold(job));
    return { more: ended === PAGE };
  }
}

/** Repeats the deletion of files that an ended job does not keep, until it succeeds. */
@Injectable()
export class ClearFiles {
  constructor(
    private readonly endedJobs: EndedJobRepository,
    private readonly settlement: Settlement,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    const jobs = await this.endedJobs.claimUnclearedFiles();
    const cleared = await sweepRows(jobs, this.logger, (job) => this.settlement.settleFiles(job));
    return { more: cleared === PAGE };
  }
}
