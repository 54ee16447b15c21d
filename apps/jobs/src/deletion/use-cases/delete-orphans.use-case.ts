import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type ListedObject, ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobsConfig } from '../../jobs.config';
import { INPUTS_FOLDER, OUTPUTS_FOLDER } from '../../attempt/stored-files';
import { OrphanSweepRepository, StoredObjectRepository, type SweepPlace } from '../orphan-sweep.repository';

const FOLDERS = [INPUTS_FOLDER, OUTPUTS_FOLDER] as const;
/** The maximum size of a page; a store may return fewer objects at a time. */
const OBJECTS_AT_ONCE = 5_000;
const SECONDS_AN_HOUR = 3_600;

/**
 * Deletes files that dead processes left in the store: images of requests without a job, outputs that no job refers to, and
 * partial writes. One process at a time lists the store, a page of a folder at a time, and stores its position in the database.
 * A pass starts once a day at most.
 */
@Injectable()
export class DeleteOrphans {
  /** Identifies this process as the holder of the lease. */
  private readonly holder = randomUUID();

  constructor(
    private readonly objects: ObjectStore,
    private readonly stored: StoredObjectRepository,
    private readonly sweep: OrphanSweepRepository,
    private readonly config: JobsConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** One page. */
  async execute(): Promise<{ more: boolean }> {
    const everySeconds = this.config.orphanSweepHours * SECONDS_AN_HOUR;
    const place = await this.sweep.claim(this.holder, everySeconds, FOLDERS[0]);
    if (!place) return { more: false };
    const { objects, next } = await this.objects.listAfter(place.folder, place.after, OBJECTS_AT_ONCE);
    await this.deleteOrphansOf(place.folder, objects);
    const nextPlace = next === null ? folderAfter(place.folder) : { folder: place.folder, after: next };
    if (nextPlace === null) await this.deleteUnfinished();
    const isMoved = await this.sweep.move(this.holder, nextPlace);
    return { more: isMoved && nextPlace !== null };
  }

  private async deleteOrphansOf(folder: string, objects: ListedObject[]): Promise<void> {
    const { orphanAfterSeconds } = this.config;
    const orphans = new Set(
      await (folder === INPUTS_FOLDER
        ? this.stored.findOrphanInputs(objects, orphanAfterSeconds)
        : this.stored.findOrphanOutputs(objects, orphanAfterSeconds)),
    );
    if (orphans.size === 0) return;
    const bytes = objects.reduce((sum, object) => sum + (orphans.has(object.key) ? object.bytes : 0), 0);
    try {
      await this.objects.deleteMany([...orphans]);
      // Each orphan was left by a process that died, or by a deletion that failed.
      this.logger.warn({ folder, count: orphans.size, bytes }, 'orphans_deleted');
    } catch (error) {
      // The next pass retries it; the objects behind it are not delayed.
      this.logger.warn({ folder, count: orphans.size, reason: String(error) }, 'orphans_not_deleted');
    }
  }

  private async deleteUnfinished(): Promise<void> {
    const unfinished = await this.objects.deleteUnfinished();
    if (unfinished > 0) this.logger.warn({ count: unfinished }, 'unfinished_objects_deleted');
  }
}

/** Null after the last folder. */
function folderAfter(folder: string): SweepPlace | null {
  const next = FOLDERS[FOLDERS.findIndex((known) => known === folder) + 1];
  return next === undefined ? null : { folder: next, after: null };
}
