import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { EndedJobRepository } from '../../ending/ended-job.repository';
import { PAGE } from '../../job/job.repository';
import { Settlement } from '../../ending/settlement';
import { sweepRows } from '../../job/sweep-rows';

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
