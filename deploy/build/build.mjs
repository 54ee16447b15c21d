// Compiles the folders listed in nest-cli.json into dist/, copies the files that services read at run time, builds the console's
// web application, and bundles the programs of a stack. With `--if-missing` it does nothing if a build exists already (the CLI uses
// it). docs/contribute/loop.md explains why this is not `nest build`.
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { WEB, buildWeb } from './build-web.mjs';
import { bundlePrograms } from './bundle.mjs';
import { dist, emit, root } from './emit.mjs';

/** A container's build may open 1,024 files at once, fewer than there are. */
const EMITTED_AT_ONCE = 64;

if (!(process.argv.includes('--if-missing') && existsSync(path.join(dist, 'built')))) await build();

async function build() {
  const { compilerOptions } = JSON.parse(await readFile(path.join(root, 'nest-cli.json'), 'utf8'));
  const { filenames: folders } = compilerOptions.builder.options;
  console.log('Building …');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const files = (await Promise.all(folders.map(listFiles))).flat();
  await Promise.all([buildWeb(), ...Array.from({ length: EMITTED_AT_ONCE }, () => emitRest(files))]);
  await bundlePrograms();
  await writeFile(path.join(dist, 'built'), '');
}

async function emitRest(files) {
  for (let file = files.pop(); file !== undefined; file = files.pop()) await emit(file);
}

async function listFiles(folder) {
  if (!existsSync(path.join(root, folder))) return [];
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(`${WEB}/`));
}
