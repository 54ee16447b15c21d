import 'reflect-metadata';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { migrate, type Migration, provision } from '@kinora/database';
import { keepCompiledCode } from '@kinora/service-kit/without-nest';
import type { ContextWithSchema } from './service-instance';

/** Input of the worker thread. Its result is the database address of each context. */
export interface SchemaOrder {
  adminUrl: string;
  passwords: (readonly [ContextWithSchema, string])[];
  /** The folder of the built programs. */
  programs: string;
}

void prepareAll(workerData as SchemaOrder).then((urls) => {
  parentPort?.postMessage(urls);
  keepCompiledCode();
});

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
