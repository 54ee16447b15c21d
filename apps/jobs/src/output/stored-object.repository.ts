import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { ListedObject } from '@kinora/object-store';
import { jobIdOfOutput } from './output-key';

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
     SELECT images FROM job WHERE deadline_at IS NOT NULL
     UNION ALL
     SELECT images FROM job WHERE completed_at IS NOT NULL AND settled_at IS NULL
   ), held AS MATERIALIZED (
     SELECT given.file ->> 'object_key' AS object_key FROM unsettled, json_array_elements(images) AS given (file)
   )
   SELECT object_key FROM ${STORED} AND object_key NOT IN (SELECT object_key FROM held)`,
);

/** The row of a job in flight may not name its outputs yet. */
const FIND_ORPHAN_OUTPUTS = statement(
  'object_find_orphan_outputs',
  `SELECT object_key FROM ${STORED} AND NOT EXISTS (
     SELECT FROM job WHERE job.id = stored.job_id AND (
       job.completed_at IS NULL
       OR job.outputs_deleted_at IS NULL AND EXISTS (
         SELECT FROM json_array_elements(job.output) AS kept (file) WHERE kept.file ->> 'object_key' = stored.object_key)))`,
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
