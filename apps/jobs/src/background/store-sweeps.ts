import { Injectable } from '@nestjs/common';
import { ClearFiles } from '../use-cases/clear-files/clear-files.use-case';
import { DeleteExpiredOutputs } from '../use-cases/delete-expired-outputs/delete-expired-outputs.use-case';
import { DeleteOrphans } from '../use-cases/delete-orphans/delete-orphans.use-case';
import type { Sweep } from './sweep';

const CLEAR_EVERY_MS = 1_000;
/** Often enough to delete outputs within a minute after `expires_at`. */
const EXPIRED_EVERY_MS = 10_000;
/** How often the sweep queries the database for a pass that is due, or that a dead process has left. */
const ORPHANS_EVERY_MS = 60_000;

/** The sweeps that delete files which no job may keep from the object store. */
@Injectable()
export class StoreSweeps {
  constructor(
    private readonly clearFiles: ClearFiles,
    private readonly deleteExpiredOutputs: DeleteExpiredOutputs,
    private readonly deleteOrphans: DeleteOrphans,
  ) {}

  list(): Sweep[] {
    return [
      { name: 'files_of_ended_jobs', everyMs: CLEAR_EVERY_MS, work: () => this.clearFiles.execute() },
      { name: 'expired_outputs', everyMs: EXPIRED_EVERY_MS, work: () => this.deleteExpiredOutputs.execute() },
      { name: 'orphans_in_the_store', everyMs: ORPHANS_EVERY_MS, work: () => this.deleteOrphans.execute() },
    ];
  }
}
