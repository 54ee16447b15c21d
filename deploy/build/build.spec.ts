import { execFile } from 'node:child_process';
import { readFile, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import nestCli from '../../nest-cli.json';
import { ThrowawayCopy } from '../../test/mutations/throwaway-copy';

/** Builds the whole tree, which takes many times as long on a busy machine. */
const BUILD_TIMEOUT_MS = 360_000;

describe('build', () => {
  let copy: ThrowawayCopy;

  beforeAll(async () => {
    copy = await ThrowawayCopy.make();
  });

  afterAll(() => copy.remove());

  it(
    'writes the same programs as nest build, among them the entry of every app',
    async () => {
      await run('deploy/build/build.mjs');
      await rename(path.join(copy.folder, 'dist'), path.join(copy.folder, 'built'));
      await run('node_modules/@nestjs/cli/bin/nest.js', 'build', 'jobs');
      const built = await programsIn('built');
      expect(await programsIn('dist')).toEqual(built);
      const entries = Object.values(nestCli.projects)
        .filter(({ type }) => type === 'application')
        .map(({ sourceRoot }) => `${sourceRoot}/main.js`);
      expect(entries.filter((entry) => !(entry in built))).toEqual([]);
    },
    BUILD_TIMEOUT_MS,
  );

  it(
    'needs few open files',
    async () => {
      const build = ['-c', 'ulimit -n 256 && exec "$0" deploy/build/build.mjs', process.execPath];
      await promisify(execFile)('sh', build, { cwd: copy.folder });
      expect(await readFile(path.join(copy.folder, 'dist/built'), 'utf8')).toBe('');
    },
    BUILD_TIMEOUT_MS,
  );

  /** The text of each program, without its last line, which names its source map. */
  async function programsIn(folder: string): Promise<Record<string, string>> {
    const files = await readdir(path.join(copy.folder, folder), { recursive: true });
    // Vite builds the console's pages, and nest build leaves them out.
    const programs = files.filter((file) => file.endsWith('.js') && !file.startsWith('apps/console/web/')).sort();
    const texts = programs.map(async (file) => {
      const text = await readFile(path.join(copy.folder, folder, file), 'utf8');
      return [file, text.replace(/\s*\/\/# sourceMappingURL=.*\s*$/, '')] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  }

  async function run(...args: string[]): Promise<void> {
    await promisify(execFile)(process.execPath, args, { cwd: copy.folder, maxBuffer: 64 * 1024 * 1024 });
  }
});
