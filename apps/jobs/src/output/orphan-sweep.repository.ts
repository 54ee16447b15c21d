import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';

/** Longer than a page takes. After the lease of a dead process another process continues. */
const LEASE_SECONDS = 300;

/** Starts a pass if none is in progress and the last one began long enough ago; otherwise continues the one in progress. */
const CLAIM = statement(
  'orphan_sweep_claim',
  `UPDATE orphan_sweep
      SET holder = $1, leased_until = clock_timestamp() + $2 * interval '1 second',
          begun_at = CASE WHEN folder IS NULL THEN clock_timestamp() ELSE begun_at END,
          folder = coalesce(folder, $4)
    WHERE name = 'object_store' AND (holder = $1 OR leased_until < clock_timestamp())
      AND (folder IS NOT NULL OR begun_at <= clock_timestamp() - $3 * interval '1 second')
   RETURNING folder, after_key`,
);

/** A process that has lost the lease changes nothing. */
const MOVE = statement(
  'orphan_sweep_move',
  `UPDATE orphan_sweep SET folder = $2, after_key = $3
    WHERE name = 'object_store' AND holder = $1 AND leased_until > clock_timestamp()`,
);

/** The position of a pass over the object store. */
export interface SweepPlace {
  folder: string;
  after: string | null;
}

/** The lease and the progress of the one pass over the object store that all processes share. */
@Injectable()
export class OrphanSweepRepository {
  constructor(private readonly database: Database) {}

  /** Null while another process holds the lease, or while the next pass is not due. */
  async claim(holder: string, everySeconds: number, firstFolder: string): Promise<SweepPlace | null> {
    const values = [holder, LEASE_SECONDS, everySeconds, firstFolder];
    const row = await this.database.findOne<{ folder: string; after_key: string | null }>(CLAIM, values);
    return row && { folder: row.folder, after: row.after_key };
  }

  /** @param place null at the end of the pass. @returns false if the lease is lost. */
  async move(holder: string, place: SweepPlace | null): Promise<boolean> {
    const values = [holder, place?.folder ?? null, place?.after ?? null];
    return (await this.database.execute(MOVE, values)) === 1;
  }
}
