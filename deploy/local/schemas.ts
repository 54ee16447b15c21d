import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SchemaAnswer, SchemaOrder } from './schemas.worker';
import { rolePassword, type Secrets } from './secrets';
import { CONTEXTS_WITH_SCHEMA, type ContextWithSchema } from './service-instance';
import { StartProblem } from './start-problem';

export interface SchemaOptions {
  secrets: Secrets;
  programs: string;
}

/**
 * Provisions role and schema of each context, migrates them, and returns the addresses for the connections. It runs on a worker
 * thread, which ends with it and frees its 60 MB, because the launcher runs as long as the stack.
 * @throws StartProblem for a data folder that is too old
 */
export async function prepareSchemas(
  adminUrl: string,
  { secrets, programs }: SchemaOptions,
): Promise<Record<ContextWithSchema, string>> {
  const passwords = CONTEXTS_WITH_SCHEMA.map((context) => [context, rolePassword(secrets, context)] as const);
  const workerData: SchemaOrder = { adminUrl, passwords, programs };
  const thread = new Worker(path.join(__dirname, 'schemas.worker.js'), { workerData });
  // An error in the worker rejects this promise.
  const [answer] = (await once(thread, 'message')) as [SchemaAnswer];
  if ('problem' in answer) {
    // Other contexts may still be migrating, and the server stops next.
    await thread.terminate();
    throw new StartProblem(answer.problem);
  }
  return answer.urls;
}
