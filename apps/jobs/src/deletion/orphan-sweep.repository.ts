import { Injectable } from '@nestjs/common';
import { Database, statement, inMonthsOfIds, inOpenMonths } from '@kinora/database';
import type { ListedObject } from '@kinora/object-store';
import { jobIdOfOutput } from '../attempt/stored-files';

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

/**
 * The age is computed by the clock of the database, so that a process with a wrong clock does not take a new object for an old
 * one.
 */
const STORED = `unnest($1::text[], $2::timestamptz[], $3::uuid[]) AS stored (object_key, stored_at, job_id)
  WHERE stored_at < clock_timestamp() - $4 * interval '1 second'`;

/** A job has its inputs until it is settled, which deletes them. */
const FIND_ORPHAN_INPUTS = statement(
  'object_find_orphan_inputs',
  `WITH unsettled AS (
     SELECT images FROM job WHERE deadline_at IS NOT NULL AND ${inOpenMonths('id')}
     UNION ALL
     SELECT images FROM job WHERE completed_at IS NOT NULL AND settled_at IS NULL AND ${inOpenMonths('id')}
   ), held AS MATERIALIZED (
     SELECT given.file ->> 'object_key' AS object_key FROM unsettled, json_array_elements(images) AS given (file)
   )
   SELECT object_key FROM ${STORED} AND object_key NOT IN (SELECT object_key FROM held)`,
);

/** The row of a job in flight may not name its outputs yet. */
const FIND_ORPHAN_OUTPUTS = statement(
  'object_find_orphan_outputs',
  `SELECT object_key FROM ${STORED} AND NOT EXISTS (
     SELECT FROM job WHERE job.id = stored.job_id AND job.id = ANY($3::uuid[]) AND ${inMonthsOfIds('job.id')} AND (
       job.completed_at IS NULL
       OR job.outputs_deleted_at IS NULL AND EXISTS (
         SELECT FROM json_array_elements(job.output) AS kept (file) WHERE kept.file ->> 'object_key' = stored.object_key)))`,
  { idsAt: 2 },
);

/** Compares objects in the store with the rows. */
@Injectable()
export class StoredObjectRepository {
  constructor(private readonly database: Database) {}

  /** The given inputs that are older than this and belong to no waiting job. */
  findOrphanInputs(objects: ListedObject[], olderThanSeconds: number): Promise<string[]> {
    return this.find(FIND_ORPHAN_INPUTS, objects, olderThanSeconds);
  }

  /** The given outputs that are older than this and belong to no job. */
  findOrphanOutputs(objects: ListedObject[], olderThanSeconds: number): Promise<string[]> {
    return this.find(FIND_ORPHAN_OUTPUTS, objects, olderThanSeconds);
  }

  private async find(
    orphans: ReturnType<typeof statement>,
    objects: ListedObject[],
    olderThanSeconds: number,
  ): Promise<string[]> {
    const rows = await this.database.query<{ object_key: string }>(orphans, [
      objects.map(({ key }) => key),
      objects.map(({ storedAt }) => storedAt),
      objects.map(({ key }) => jobIdOfOutput(key)),
      olderThanSeconds,
    ]);
    return rows.map(({ object_key }) => object_key);
  }
}
