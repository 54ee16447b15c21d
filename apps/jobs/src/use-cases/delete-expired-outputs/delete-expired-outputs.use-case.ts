import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@kinora/object-store';
import { JobRepository } from '../../job/job.repository';

/** Deletes outputs at the end of the account's retention; the job keeps its entries, without URLs. */
@Injectable()
export class DeleteExpiredOutputs {
  constructor(
    private readonly jobs: JobRepository,
    private readonly objects: ObjectStore,
  ) {}

  async execute(): Promise<number> {
    const expired = await this.jobs.listExpired();
    for (const job of expired) {
      for (const { object_key } of job.output ?? []) await this.objects.delete(object_key);
      await this.jobs.markOutputsDeleted(job.id);
    }
    return expired.length;
  }
}
