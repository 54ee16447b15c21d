// Compiles changed files below the given folders into dist/, and builds the console's pages when they change. Sends a message to the
// parent process about each save: 'watching' once, then { files } when all of them are in dist/, or { files, problem } if one does
// not compile.
import { watch } from 'node:fs';
import path from 'node:path';
import { WEB, buildWeb } from './build-web.mjs';
import { emit, root } from './emit.mjs';

/** Editors write a file in several steps, and `git checkout` writes many files at once. */
const SETTLE_MS = 50;

const changed = new Set();
let timer;

for (const folder of process.argv.slice(2)) {
  watch(path.join(root, folder), { recursive: true }, (_, name) => {
    if (name === null) return;
    changed.add(path.join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(emitChanged, SETTLE_MS);
  });
}
process.on('disconnect', () => process.exit());
// A bundle does not read the files that a save compiles, so that the next start of a watched service runs its modules.
await Promise.all(process.argv.slice(2).map((folder) => emit(`${folder}/src/main.ts`)));
process.send('watching');

async function emitChanged() {
  const savedAt = Date.now() - SETTLE_MS;
  const files = [...changed];
  changed.clear();
  try {
    const isOfWeb = (file) => file.startsWith(`${WEB}/`);
    if (files.some(isOfWeb)) await buildWeb();
    const emitted = await Promise.all(files.map(async (file) => (isOfWeb(file) || (await emit(file)) ? [file] : [])));
    if (emitted.flat().length > 0) process.send({ files: emitted.flat(), savedAt });
  } catch (error) {
    process.send({ files, savedAt, problem: error.message });
  }
}
