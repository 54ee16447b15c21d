import { Injectable } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { DeliveryContent } from '../../ending/delivery-content';
import { EndedJobRepository } from '../../ending/ended-job.repository';
import { PAGE } from '../../job/job.repository';
import { sweepRows } from '../../job/sweep-rows';

/** Repeats the deletion of content from deliveries, where the dispatcher was away and the client does not repeat its request. */
@Injectable()
export class FinishContentDeletions {
  constructor(
    private readonly endedJobs: EndedJobRepository,
    private readonly deliveries: DeliveryContent,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    const jobs = await this.endedJobs.claimUndeletedContents();
    const finished = await sweepRows(jobs, this.logger, (job) => this.deliveries.delete(job));
    return { more: finished === PAGE };
  }
}
