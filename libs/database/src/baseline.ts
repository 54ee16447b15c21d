import type { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last commit with the migrations that the baselines replace. */
const LAST_COMMIT_BEFORE = 'bfe8644b';

/** The schema lacks migrations that this version does not have any more. */
export class SchemaTooOld extends Error {
  constructor(context: string) {
    super(
      `The schema of ${context} is older than this version can migrate: start commit ${LAST_COMMIT_BEFORE} with it once, and then this version again.`,
    );
  }
}

/**
 * The first migration of a context. It creates the whole schema, and replaces the migrations that had made the same one step by
 * step. It runs on an empty schema only.
 */
export abstract class BaselineMigration implements MigrationInterface {
  abstract readonly name: string;
  /** The last of the migrations that it replaces. A schema with it is equal to the one that the baseline creates. */
  abstract readonly replaces: string;
  /** The statements, in order. */
  protected abstract readonly schema: string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.schema) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error(`${this.name} is the first migration and has no version before it. Drop the schema instead.`);
  }
}

/**
 * Marks the baseline as applied where all migrations that it replaces were. Their names stay in the table, because processes of
 * the version before, which may still run, look for them.
 * @param applied the names of the applied migrations.
 * @returns the names with the baseline.
 * @throws SchemaTooOld
 */
export async function markBaseline(
  client: Client,
  context: string,
  baseline: BaselineMigration,
  applied: string[],
): Promise<string[]> {
  if (applied.length === 0 || applied.includes(baseline.name)) return applied;
  if (!applied.includes(baseline.replaces)) throw new SchemaTooOld(context);
  await client.query('INSERT INTO migration ("timestamp", name) VALUES ($1, $2)', [
    baseline.name.slice(-13),
    baseline.name,
  ]);
  return [...applied, baseline.name];
}
