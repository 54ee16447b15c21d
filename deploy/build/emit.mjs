// Emits one source file into dist/: a program with its source map, a copy, or nothing.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const dist = path.join(root, 'dist');
const options = createRequire(import.meta.url)('./swc-options.cjs');
/** Data files that code reads from its own folder. Other files that are not TypeScript are not copied. */
const ASSETS = new Set(['.json', '.yaml', '.png', '.sql', '.html', '.css', '.js']);

/** @returns whether the file has an output in dist/. */
export async function emit(file) {
  const target = path.join(dist, file);
  const isProgram = file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.endsWith('.d.ts');
  if (!isProgram && !ASSETS.has(path.extname(file))) return false;
  const output = isProgram ? target.replace(/\.ts$/, '.js') : target;
  if (!existsSync(path.join(root, file))) await rm(output, { force: true });
  else if (isProgram) await compile(file, output);
  else {
    await mkdir(path.dirname(output), { recursive: true });
    await cp(path.join(root, file), output);
  }
  return true;
}

async function compile(file, program) {
  // The source map is a separate file: it is read only when a stack trace is printed.
  const sourceFileName = path.relative(path.dirname(program), path.join(root, file));
  const maps = { sourceMaps: true, sourceFileName, inlineSourcesContent: false };
  const { code, map } = await transformFile(path.join(root, file), { ...options, ...maps });
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, `${code}//# sourceMappingURL=${path.basename(program)}.map\n`);
  await writeFile(`${program}.map`, map);
}
