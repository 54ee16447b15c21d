import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { EndedJobRepository } from '../../ending/ended-job.repository';
import { PAGE } from '../../job/job.repository';
import { Settlement } from '../../ending/settlement';
import { sweepRows } from '../../job/sweep-rows';

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
