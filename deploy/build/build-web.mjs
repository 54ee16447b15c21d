// Builds the console's web application into dist/apps/console/web. The result is kept by the hash of what it is built from, so
// that a second build of the same sources only copies it.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { dist, root } from './emit.mjs';

export const WEB = 'apps/console/web';
/** The pages are built with the client. */
const CLIENT = 'libs/sdk-typescript/src';
const KEPT = path.join(root, 'node_modules/.cache/kinora-web');
/** Specs are not built, and the packages are those of the lock file. */
const NOT_BUILT = /\.spec\.tsx?$/;

export async function buildWeb() {
  const kept = path.join(KEPT, await hashOfSources());
  if (!existsSync(kept)) await bundle(kept);
  await rm(path.join(dist, WEB), { recursive: true, force: true });
  await cp(kept, path.join(dist, WEB), { recursive: true });
}

async function bundle(target) {
  const { build } = await import('vite');
  const folder = `${target}.${process.pid}`;
  const configFile = path.join(root, WEB, 'vite.config.mjs');
  await build({ configFile, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  await mkdir(KEPT, { recursive: true });
  // Only the latest result is worth its space.
  const entries = await readdir(KEPT);
  const old = entries.filter((name) => !name.includes('.'));
  await Promise.all(old.map((name) => rm(path.join(KEPT, name), { recursive: true, force: true })));
  // Another build of the same sources may have been faster.
  await rename(folder, target).catch(() => rm(folder, { recursive: true, force: true }));
}

async function hashOfSources() {
  const folders = await Promise.all([WEB, CLIENT].map(filesOf));
  const hash = createHash('sha256');
  for (const file of [...folders.flat().sort(), 'package.json', 'deploy/build/build-web.mjs']) {
    hash
      .update(`${file}\0`)
      .update(await readFile(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesOf(folder) {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
