import { Injectable } from '@nestjs/common';
import { ClearFiles } from '../use-cases/clear-files/clear-files.use-case';
import { DeleteExpiredOutputs } from '../use-cases/delete-expired-outputs/delete-expired-outputs.use-case';
import { DeleteOrphans } from '../use-cases/delete-orphans/delete-orphans.use-case';
import { FinishContentDeletions } from '../use-cases/finish-content-deletions/finish-content-deletions.use-case';
import type { Sweep } from './sweep';

const CLEAR_EVERY_MS = 1_000;
/** A client that got a 503 may not repeat its deletion. */
const CONTENT_EVERY_MS = 10_000;
/** Often enough to delete outputs within a minute after `expires_at`. */
const EXPIRED_EVERY_MS = 10_000;
/** How often the sweep queries the database for a pass that is due, or that a dead process has left. */
const ORPHANS_EVERY_MS = 60_000;

/** The sweeps that delete what no job may keep: files from the object store, and deleted content from deliveries. */
@Injectable()
export class StoreSweeps {
  constructor(
    private readonly clearFiles: ClearFiles,
    private readonly deleteExpiredOutputs: DeleteExpiredOutputs,
    private readonly deleteOrphans: DeleteOrphans,
    private readonly finishContentDeletions: FinishContentDeletions,
  ) {}

  list(): Sweep[] {
    return [
      { name: 'files_of_ended_jobs', everyMs: CLEAR_EVERY_MS, work: () => this.clearFiles.execute() },
      { name: 'expired_outputs', everyMs: EXPIRED_EVERY_MS, work: () => this.deleteExpiredOutputs.execute() },
      { name: 'content_of_deliveries', everyMs: CONTENT_EVERY_MS, work: () => this.finishContentDeletions.execute() },
      { name: 'orphans_in_the_store', everyMs: ORPHANS_EVERY_MS, work: () => this.deleteOrphans.execute() },
    ];
  }
}
