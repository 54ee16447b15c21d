// Plants bugs in a copy of the tree, and runs seeds until one finds each: `npm run nemesis:prove [-- WORD…]`.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { plantedBugs } from '../mutations/planted-bug';
import { ThrowawayCopy } from '../mutations/throwaway-copy';

const PATCHES = 'test/nemesis/patches';
/** The first seeds. A bug that needs more than ten minutes of them counts as not found. */
const SEEDS = ['--seed', '1', '--runs', '15', '--no-shrink'];
const TIMEOUT_MS = 10 * 60_000;
/** The exit code for a violation; any other one says nothing about the bug. */
const FOUND = 1;

async function main(words: string[]): Promise<void> {
  const bugs = plantedBugs(PATCHES).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const copy = await ThrowawayCopy.make();
  let found = 0;
  try {
    for (const bug of bugs) {
      const startedAt = performance.now();
      const { exitCode, output } = await copy.withBug(bug, () => runSeeds(copy.folder));
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      if (exitCode === FOUND) found += 1;
      console.log(
        `${exitCode === FOUND ? 'found' : `not found (${exitCode})`}  ${seconds} s  ${bug.name}\n${output.trimEnd()}`,
      );
    }
  } finally {
    await copy.remove();
  }
  console.log(`${found} of ${bugs.length} planted bugs found`);
  process.exitCode = found === bugs.length ? 0 : 1;
}

async function runSeeds(folder: string): Promise<{ exitCode: number | null; output: string }> {
  await promisify(execFile)(process.execPath, ['deploy/build/build.mjs'], { cwd: folder });
  const program = ['-r', './test/typescript.cjs', 'test/nemesis/nemesis.ts', ...SEEDS];
  const child = spawn(process.execPath, program, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => child.kill('SIGTERM'), TIMEOUT_MS);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { exitCode, output };
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
