import 'reflect-metadata';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { migrate, type Migration, provision, SchemaTooOld } from '@kinora/database';
import { keepCompiledCode } from '@kinora/service-kit/without-nest';
import type { ContextWithSchema } from './service-instance';

export interface SchemaOrder {
  adminUrl: string;
  passwords: (readonly [ContextWithSchema, string])[];
  programs: string;
}

/** The database address of each context, or what the user must do first: the class of an error does not cross threads. */
export type SchemaAnswer = { urls: Record<string, string> } | { problem: string };

void answer(workerData as SchemaOrder).then((message) => {
  parentPort?.postMessage(message);
  keepCompiledCode();
});

async function answer(order: SchemaOrder): Promise<SchemaAnswer> {
  try {
    return { urls: await prepareAll(order) };
  } catch (error) {
    if (error instanceof SchemaTooOld) return { problem: error.message };
    throw error;
  }
}

async function prepareAll({ adminUrl, passwords, programs }: SchemaOrder): Promise<Record<string, string>> {
  const prepared = passwords.map(async ([context, password]) => {
    const url = await provision(adminUrl, { context, password });
    await migrate(url, context, await loadMigrations(programs, context));
    return [context, url] as const;
  });
  return Object.fromEntries(await Promise.all(prepared));
}

/** All on one thread: five separate programs would take longer to load than the rest of the start. */
async function loadMigrations(programs: string, context: ContextWithSchema): Promise<Migration[]> {
  const file = path.join(programs, 'apps', context, 'src/migrations/migrations.js');
  return ((await import(file)) as { migrations: Migration[] }).migrations;
}
