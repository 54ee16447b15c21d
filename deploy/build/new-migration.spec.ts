import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ThrowawayCopy } from '../../test/mutations/throwaway-copy';

const FOLDER = 'apps/billing/src/migrations';

interface Outcome {
  exitCode: number | null;
  output: string;
}

describe('new migration', () => {
  let copy: ThrowawayCopy;

  beforeAll(async () => {
    copy = await ThrowawayCopy.make();
  });

  afterAll(() => copy.remove());

  it('is a file after all others, registered last, and is refused until its header is written', async () => {
    expect((await create('billing', 'add-account-color')).exitCode).toBe(0);
    const files = (await readdir(path.join(copy.folder, FOLDER))).filter((file) => /^\d/.test(file)).sort();
    const file = files.at(-1) as string;
    expect(file).toMatch(/^\d{8}T\d{4}-add-account-color\.ts$/);
    const [, name = '', moment = ''] = /class (AddAccountColor(\d{13})) /.exec(await read(file)) ?? [];
    expect(new Date(Number(moment)).toISOString().replaceAll(/[-:]/g, '')).toContain(file.slice(0, 13));
    const list = await read('migrations.ts');
    expect(list).toContain(`import { ${name} } from './${file.replace('.ts', '')}';`);
    expect(list).toMatch(new RegExp(`,\\s+${name},?\\s*\\];`));
    expect(await checkMigrations()).toEqual({
      exitCode: 1,
      output: expect.stringMatching(/"Why: "[^]*"Lock: "[^]*"Way back: "[^]*up\(\) sends no statement/),
    });
    const written = (await read(file))
      .replace('Why: …', 'Why: accounts have colors.')
      .replace('Lock: … Way back: …', 'Lock: for a moment. Way back: down().')
      .replace("query('')", "query('ALTER TABLE account ADD COLUMN color text')")
      .replace("query('')", "query('ALTER TABLE account DROP COLUMN color')");
    await writeFile(path.join(copy.folder, FOLDER, file), written);
    expect(await checkMigrations()).toEqual({ exitCode: 0, output: '' });
  });

  it.each([
    ['a context without migrations', ['gateway', 'add-thing'], 'There is no context "gateway" with migrations'],
    ['a name that is not verb-noun', ['billing', 'Reference'], 'verb-noun'],
    ['a name that is taken', ['billing', 'add-account-color'], 'is there already'],
  ])('is refused for %s', async (_, args, because) => {
    expect(await create(...args)).toEqual({ exitCode: 1, output: expect.stringContaining(because) });
  });

  const read = (file: string): Promise<string> => readFile(path.join(copy.folder, FOLDER, file), 'utf8');
  const create = (...args: string[]): Promise<Outcome> => run('deploy/build/new-migration.mjs', ...args);
  const checkMigrations = (): Promise<Outcome> =>
    run('-r', './test/typescript.cjs', 'deploy/build/check.ts', 'migrations');

  function run(...args: string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, { cwd: copy.folder }, (_, output, problem) =>
        resolve({ exitCode: child.exitCode, output: output + problem }),
      );
    });
  }
});
