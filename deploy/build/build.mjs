// Compiles apps, libs, deploy and the bench into dist/, and copies the files that services read at run time.
// `--if-missing` does nothing where a build is there already (the CLI uses it).
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const dist = path.join(root, 'dist');
const options = createRequire(import.meta.url)('./swc-options.cjs');
const SOURCES = ['apps', 'libs', 'deploy/local', 'test/bench', 'test/support'];
/** Data that code finds beside itself; everything else that is not TypeScript stays where it is. */
const ASSETS = new Set(['.json', '.yaml', '.png', '.sql', '.html', '.css', '.js']);

if (!(process.argv.includes('--if-missing') && existsSync(path.join(dist, 'built')))) await build();

async function build() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const files = (await Promise.all(SOURCES.map(listFiles))).flat();
  await Promise.all(files.map(emit));
  await writeFile(path.join(dist, 'built'), '');
}

async function listFiles(folder) {
  if (!existsSync(path.join(root, folder))) return [];
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

async function emit(file) {
  const target = path.join(dist, file);
  if (file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.endsWith('.d.ts')) {
    const program = target.replace(/\.ts$/, '.js');
    // The map lies beside the program, so that nobody holds it in memory who has no stack to tell.
    const sourceFileName = path.relative(path.dirname(program), path.join(root, file));
    const { code, map } = await transformFile(path.join(root, file), { ...options, sourceMaps: true, sourceFileName });
    await mkdir(path.dirname(program), { recursive: true });
    await writeFile(program, `${code}//# sourceMappingURL=${path.basename(program)}.map\n`);
    await writeFile(`${program}.map`, map);
  } else if (ASSETS.has(path.extname(file))) {
    await mkdir(path.dirname(target), { recursive: true });
    await cp(path.join(root, file), target);
  }
}
