import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../deploy/build/source-files';
import { codeBlocks } from './guide-steps';

interface ProgramRun {
  page: string;
  /** The name that the page gives the program. */
  program: string;
  /** What the program reads, by name. */
  files: Record<string, Buffer>;
  env: NodeJS.ProcessEnv;
  /** The file that it writes. */
  output: string;
}

/** Runs a program of a page as a reader does, in a folder of its own, and returns what it writes. */
export async function runDocumentedProgram({ page, program, files, env, output }: ProgramRun): Promise<Buffer> {
  const block = (await codeBlocks(page)).find(({ place }) => place === program);
  if (!block) throw new Error(`${page} has no program ${program}.`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-program-'));
  try {
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    await writeFile(path.join(folder, program), block.code);
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
    await promisify(execFile)(process.execPath, [program], { cwd: folder, env: { ...process.env, ...env } });
    return await readFile(path.join(folder, output));
  } finally {
    await rm(folder, { recursive: true });
  }
}
