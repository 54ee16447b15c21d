import { Injectable } from '@nestjs/common';
import { type ListedObject, ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobsConfig } from '../../jobs.config';
import { INPUTS_FOLDER, OUTPUTS_FOLDER, SPOOL_FOLDER } from '../../output/output-key';
import { StoredObjectRepository } from '../../output/stored-object.repository';

type FindOrphans = (objects: ListedObject[], olderThanSeconds: number) => Promise<string[]>;

/**
 * Deletes what dead processes left in the store: images of requests that became no job, outputs whose job never got them or
 * was told so by somebody else, halves of writes. It goes over the whole store, page by page.
 */
@Injectable()
export class DeleteOrphans {
  constructor(
    private readonly objects: ObjectStore,
    private readonly stored: StoredObjectRepository,
    private readonly config: JobsConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(): Promise<{ more: boolean }> {
    await this.sweep(INPUTS_FOLDER, (...given) => this.stored.findOrphanInputs(...given));
    for (const folder of [OUTPUTS_FOLDER, SPOOL_FOLDER])
      await this.sweep(folder, (...given) => this.stored.findOrphanOutputs(...given));
    const unfinished = await this.objects.deleteUnfinished();
    if (unfinished > 0) this.logger.warn({ count: unfinished }, 'unfinished_objects_deleted');
    return { more: false };
  }

  private async sweep(folder: string, findOrphans: FindOrphans): Promise<void> {
    let count = 0;
    let bytes = 0;
    for await (const page of this.objects.list(folder)) {
      const orphans = new Set(await findOrphans(page, this.config.orphanAfterSeconds));
      await this.objects.deleteMany([...orphans]);
      count += orphans.size;
      for (const object of page) if (orphans.has(object.key)) bytes += object.bytes;
    }
    // Each is the trace of a process that died, or of a store that refused a deletion.
    if (count > 0) this.logger.warn({ folder, count, bytes }, 'orphans_deleted');
  }
}
