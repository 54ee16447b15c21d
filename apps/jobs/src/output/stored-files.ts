import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@kinora/object-store';
import type { JobRow } from '../job/job.entity';
import { outputFolderOf } from './output-key';

/** What lies in the object store for a job. */
@Injectable()
export class StoredFiles {
  constructor(private readonly objects: ObjectStore) {}

  /**
   * Leaves an ended job what its row names, and nothing else: no inputs, no outputs of a worker that died or was blocked.
   * The store is asked what there is, so that no crash in between can hide a file. @throws ObjectStoreUnavailable
   */
  async clearAwayAfter(job: JobRow): Promise<void> {
    const inputs = job.images.map(({ object_key }) => object_key);
    await this.objects.deleteMany(inputs);
    // Of a success only a worker that died can have left more, which was judged like the rest; that can wait for the sweep.
    if (job.status !== 'succeeded') await this.deleteOutputsOf(job.id);
  }

  private async deleteOutputsOf(jobId: string): Promise<void> {
    for await (const page of this.objects.list(outputFolderOf(jobId))) {
      await this.objects.deleteMany(page.map(({ key }) => key));
    }
  }
}
