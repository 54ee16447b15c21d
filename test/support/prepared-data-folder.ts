import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const KEPT = path.resolve('node_modules/.cache/kinora-test-data');
/** What decides how the first start leaves a folder. Its account may be older than the code of billing, as after an upgrade. */
const DECISIVE = [
  'deploy/local',
  ...['jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'console'].map(
    (context) => `apps/${context}/src/migrations`,
  ),
];
/** Only these last: the broker's store may be deleted at any time, and the rest belongs to one run. */
const LASTING = ['postgres', 'secrets.json', 'demo-account.json'];

/**
 * Fills a data folder as the first start of a stack does. That start creates a database cluster and migrates it, which takes a fifth of a
 * test's stack, so one is kept and copied; the stack's own start on it is then a second one. Its secrets and the identifier of its
 * cluster are those of all copies, which is for tests alone.
 * @param start Starts a stack on a folder, and stops it.
 */
export async function fillDataFolder(folder: string, start: (folder: string) => Promise<void>): Promise<void> {
  const kept = path.join(KEPT, await hashOf(DECISIVE));
  if (!existsSync(kept)) await prepare(kept, start);
  // Not `cp` of Node, which gives the files of PostgreSQL's own user to root.
  await promisify(execFile)('cp', ['-a', `${kept}/.`, folder]);
}

async function prepare(kept: string, start: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(KEPT, { recursive: true });
  const older = await readdir(KEPT);
  const draft = await mkdtemp(`${kept}.`);
  await start(draft);
  const passing = (await readdir(draft)).filter((name) => !LASTING.includes(name));
  await Promise.all(passing.map((name) => rm(path.join(draft, name), { recursive: true })));
  // Another worker may have been faster.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true }));
  const unused = older.filter((name) => !name.includes('.'));
  await Promise.all(unused.map((name) => rm(path.join(KEPT, name), { recursive: true, force: true })));
}

async function hashOf(folders: string[]): Promise<string> {
  // It names the version of PostgreSQL.
  const hash = createHash('sha256').update(await readFile('package.json'));
  for (const folder of folders) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.spec)\.ts$/.test(name));
    for (const name of names.sort()) hash.update(name).update(await readFile(path.join(folder, name)));
  }
  return hash.digest('hex').slice(0, 32);
}
