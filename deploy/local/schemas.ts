import path from 'node:path';
import { migrate, type Migration, provision } from '@kinora/database';
import { rolePassword, type Secrets } from './secrets';
import { CONTEXTS_WITH_SCHEMA, type ContextWithSchema } from './service-instance';

export interface SchemaOptions {
  secrets: Secrets;
  /** The folder of the built programs. */
  programs: string;
}

/** Gives each context its role and its schema, up to date; the addresses under which they connect are the answer. */
export async function prepareSchemas(
  adminUrl: string,
  options: SchemaOptions,
): Promise<Record<ContextWithSchema, string>> {
  const prepared = await Promise.all(CONTEXTS_WITH_SCHEMA.map((context) => prepareSchema(adminUrl, context, options)));
  return Object.fromEntries(prepared) as Record<ContextWithSchema, string>;
}

async function prepareSchema(
  adminUrl: string,
  context: ContextWithSchema,
  { secrets, programs }: SchemaOptions,
): Promise<[ContextWithSchema, string]> {
  const url = await provision(adminUrl, { context, password: rolePassword(secrets, context) });
  await migrate(url, context, await loadMigrations(programs, context));
  return [context, url];
}

/** Run in this process: five programs of their own would take longer to load than all of the rest of a start. */
async function loadMigrations(programs: string, context: ContextWithSchema): Promise<Migration[]> {
  const file = path.join(programs, 'apps', context, 'src/migrations/migrations.js');
  return ((await import(file)) as { migrations: Migration[] }).migrations;
}
