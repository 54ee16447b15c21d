import path from 'node:path';
import { migrate, type Migration, provisionAll, SchemaTooOld } from '@kinora/database/without-nest';
import { rolePassword, type Secrets } from './secrets';
import { CONTEXTS_WITH_SCHEMA, type ContextWithSchema } from './service-instance';
import { StartProblem } from './start-problem';

export interface SchemaOptions {
  secrets: Secrets;
  programs: string;
}

/**
 * Provisions role and schema of each context, migrates them, and returns the addresses for the connections.
 * @throws StartProblem for a data folder that is too old
 */
export async function prepareSchemas(
  adminUrl: string,
  { secrets, programs }: SchemaOptions,
): Promise<Record<ContextWithSchema, string>> {
  const accesses = CONTEXTS_WITH_SCHEMA.map((context) => ({ context, password: rolePassword(secrets, context) }));
  const urls = await provisionAll(adminUrl, accesses);
  const prepared = CONTEXTS_WITH_SCHEMA.map((context, at) => [context, urls[at] as string] as const);
  try {
    await Promise.all(
      prepared.map(async ([context, url]) => migrate(url, context, await loadMigrations(programs, context))),
    );
  } catch (error) {
    throw error instanceof SchemaTooOld ? new StartProblem(error.message) : error;
  }
  return Object.fromEntries(prepared) as Record<ContextWithSchema, string>;
}

/** All in this process: a program for each context would take longer to load than the rest of the start. */
async function loadMigrations(programs: string, context: ContextWithSchema): Promise<Migration[]> {
  const file = path.join(programs, 'apps', context, 'src/migrations/migrations.js');
  return ((await import(file)) as { migrations: Migration[] }).migrations;
}
