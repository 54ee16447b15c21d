import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';

/** A chart cannot read files outside of itself, so it gets copies of the scripts of compose. */
export async function trialScripts(): Promise<GeneratedFiles> {
  const sources = ['deploy/docker/create-contexts.sh', 'deploy/postgres/contexts.sql'];
  const copies = sources.map(async (source) => [
    `deploy/helm/kinora/files/postgres/${path.basename(source)}`,
    await readFile(path.join(ROOT, source), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(copies)) as GeneratedFiles;
}
