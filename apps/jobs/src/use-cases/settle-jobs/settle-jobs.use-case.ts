import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobRepository } from '../../job/job.repository';
import { Settlement } from '../../job/settlement';
import { sweepRows } from '../../job/sweep-rows';

/** Repeats captures and refunds that billing has not acknowledged, and deletions that the store has not, until they have. */
@Injectable()
export class SettleJobs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly settlement: Settlement,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Never asks for more at once: what billing has just refused, it would refuse again. */
  async execute(): Promise<{ more: boolean }> {
    await sweepRows(await this.jobs.listUnsettled(), this.logger, (job) => this.settlement.settleFully(job));
    return { more: false };
  }
}
