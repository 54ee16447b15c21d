import path from 'node:path';
import { provision } from '@kinora/database';
import { type DataFolder, logFile } from './data-folder';
import type { Command } from './processes/process-spec';
import { RunningProcess } from './processes/running-process';
import { startFailure } from './processes/until-ready';
import { rolePassword, type Secrets } from './secrets';
import { CONTEXTS_WITH_SCHEMA, type ContextWithSchema } from './service-instance';

export interface SchemaOptions {
  secrets: Secrets;
  /** The folder of the built programs. */
  programs: string;
  folder: DataFolder;
  env: NodeJS.ProcessEnv;
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
  { secrets, programs, folder, env }: SchemaOptions,
): Promise<[ContextWithSchema, string]> {
  const url = await provision(adminUrl, { context, password: rolePassword(secrets, context) });
  const command: Command = {
    name: `${context}: migrate`,
    command: process.execPath,
    args: ['--enable-source-maps', path.join(programs, 'apps', context, 'src/migrate.js')],
    env: { ...env, DATABASE_URL: url },
    logFile: logFile(folder, context),
    stopSignal: 'SIGTERM',
  };
  const migration = await RunningProcess.start(command);
  const { code } = await migration.exited;
  if (code !== 0) throw await startFailure(command);
  return [context, url];
}
