import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@kinora/object-store';
import type { JobRow } from '../job/job.entity';
import { outputFolderOf } from './output-key';

/** The files of a job in the object store. */
@Injectable()
export class StoredFiles {
  constructor(private readonly objects: ObjectStore) {}

  /**
   * Deletes all files of an ended job that its row does not name: inputs, and outputs that are blocked or left by a dead
   * process. The folder is listed, so that a crash cannot hide a file.
   * @throws ObjectStoreUnavailable
   */
  async clearAwayAfter(job: JobRow): Promise<void> {
    const inputs = job.images.map(({ object_key }) => object_key);
    await this.objects.deleteMany(inputs);
    // After a success only a dead process can have left more files. They were screened like the others, so the orphan sweep
    // deletes them.
    if (job.status !== 'succeeded') await this.deleteOutputsOf(job.id);
  }

  /**
   * Deletes every output of an ended job: those that its row names, and those that the store lists in its folder.
   * @throws ObjectStoreUnavailable
   */
  async deleteOutputs({ id, output }: JobRow): Promise<void> {
    await this.objects.deleteMany((output ?? []).map(({ object_key }) => object_key));
    await this.deleteOutputsOf(id);
  }

  private async deleteOutputsOf(jobId: string): Promise<void> {
    for await (const page of this.objects.list(outputFolderOf(jobId))) {
      await this.objects.deleteMany(page.map(({ key }) => key));
    }
  }
}
