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
 * Provisions role and schema of each context, migrates them, and returns the addresses for the connections. It runs on a worker
 * thread, which ends with it and frees its 60 MB, because the launcher runs as long as the stack.
 */
export async function prepareSchemas(
  adminUrl: string,
  { secrets, programs }: SchemaOptions,
): Promise<Record<ContextWithSchema, string>> {
  const passwords = CONTEXTS_WITH_SCHEMA.map((context) => [context, rolePassword(secrets, context)] as const);
  const workerData: SchemaOrder = { adminUrl, passwords, programs };
  const thread = new Worker(path.join(__dirname, 'schemas.worker.js'), { workerData });
  // An error in the worker rejects this promise.
  const [urls] = (await once(thread, 'message')) as [Record<ContextWithSchema, string>];
  return urls;
}
