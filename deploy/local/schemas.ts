import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SchemaOrder } from './schemas.worker';
import { rolePassword, type Secrets } from './secrets';
import { CONTEXTS_WITH_SCHEMA, type ContextWithSchema } from './service-instance';

export interface SchemaOptions {
  secrets: Secrets;
  /** The folder of the built programs. */
  programs: string;
}

/**
 * Gives each context its role and its schema, up to date; the addresses under which they connect are the answer. On a thread
 * that ends with that, and takes along the 60 MB which it needs: the launcher stays as long as the stack does.
 */
export async function prepareSchemas(
  adminUrl: string,
  { secrets, programs }: SchemaOptions,
): Promise<Record<ContextWithSchema, string>> {
  const passwords = CONTEXTS_WITH_SCHEMA.map((context) => [context, rolePassword(secrets, context)] as const);
  const workerData: SchemaOrder = { adminUrl, passwords, programs };
  const thread = new Worker(path.join(__dirname, 'schemas.worker.js'), { workerData });
  // What goes wrong there rejects here.
  const [urls] = (await once(thread, 'message')) as [Record<ContextWithSchema, string>];
  return urls;
}
