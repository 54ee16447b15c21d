import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { EndedJobRepository } from '../../ending/ended-job.repository';
import { PAGE } from '../../job/job.repository';
import type { JobRow } from '../../job/job.entity';
import { sweepRows } from '../../job/sweep-rows';

/** Deletes outputs at the end of the account's retention; the job keeps its entries, without URLs. */
@Injectable()
export class DeleteExpiredOutputs {
  constructor(
    private readonly endedJobs: EndedJobRepository,
    private readonly objects: ObjectStore,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    const deleted = await sweepRows(await this.endedJobs.claimExpiredOutputs(), this.logger, (job) =>
      this.deleteOutputs(job),
    );
    return { more: deleted === PAGE };
  }

  private async deleteOutputs(job: JobRow): Promise<void> {
    await this.objects.deleteMany((job.output ?? []).map(({ object_key }) => object_key));
    await this.endedJobs.markOutputsDeleted(job.id);
  }
}
