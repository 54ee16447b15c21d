import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

const CHECK = ['check/check', 'check/passed', 'check/steps', 'source-graph'].map((part) => `deploy/build/${part}.mjs`);

describe('npm run check', () => {
  let checkout: string;

  beforeEach(async () => {
    checkout = await mkdtemp(path.join(tmpdir(), 'kinora-check-'));
    for (const file of [...CHECK, '.prettierrc', 'package.json', 'tsconfig.json']) {
      await cp(path.join(ROOT, file), path.join(checkout, file));
    }
    await symlink(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('names every failed step with its errors, and exits with 1', async () => {
    await writeFile(path.join(checkout, 'deploy/limit.ts'), 'export const limit: string = 1');
    const { exitCode, output } = await check('format', 'types');
    expect(output).toMatch(/FAILED {2}format[^]*limit\.ts[^]*FAILED {2}types[^]*limit\.ts\(1,14\)/);
    expect(output).toMatch(/\nFailed: format, types\.\n$/);
    expect(exitCode).toBe(1);
  });

  it('exits with 0 when every step has passed', async () => {
    await writeFile(path.join(checkout, 'deploy/limit.ts'), 'export const limit = 1;\n');
    const { exitCode, output } = await check('format', 'types');
    expect(output).toMatch(/^ok {6}format .* s\nok {6}types .* s\nNothing to complain about\.\n$/);
    expect(exitCode).toBe(0);
  });

  it('runs nothing for an unknown step, and lists the known steps', async () => {
    const { exitCode, output } = await check('format', 'toString');
    expect(output).toMatch(/^There is no step toString: the steps are format, lint, .*\.\n$/);
    expect(exitCode).toBe(1);
  });

  describe('with --changed', () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=spec', '-c', 'user.email=spec@kinora.test', ...args], { cwd: checkout });
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.join(checkout, path.dirname(file)), { recursive: true });
      await writeFile(path.join(checkout, file), text);
    };
    /** The steps that ran. In this checkout most of them fail, because their programs are not there. */
    const selectedSteps = async (): Promise<string[]> => {
      const { output } = await check('--changed');
      return [...output.matchAll(/^(?:ok|FAILED) +(\S+) +\d/gm)].map(([, step]) => step ?? '');
    };

    beforeEach(async () => {
      await write('.gitignore', 'node_modules\n');
      await write('docs/page.md', 'One.\n');
      await write('deploy/local/limit.ts', 'export const limit = 1;\n');
      await write('libs/contracts/src/field.ts', 'export const field = 1;\n');
      await write('apps/one/src/one.controller.ts', "export { field } from '../../../libs/contracts/src/field';\n");
      git('init', '--quiet', '--initial-branch', 'main');
      git('add', '.');
      git('commit', '--quiet', '--message', 'Begin');
    });

    it.each<[string, string[], string | null]>([
      ['nothing without a change', [], null],
      ['the steps of every file for a page', ['format', 'types'], 'docs/page.md'],
      ['those of programs for a program', ['format', 'lint', 'imports', 'types'], 'deploy/local/limit.ts'],
    ])('runs %s', async (_, steps, file) => {
      if (file !== null) await write(file, `${file.endsWith('.ts') ? '// ' : ''}Two.\n`);
      expect(await selectedSteps()).toEqual(steps);
    });

    it('runs the steps whose inputs import the changed file, for a commit of the branch and an untracked file', async () => {
      git('checkout', '--quiet', '-b', 'branch');
      await write('libs/contracts/src/field.ts', 'export const field = 2;\n');
      git('commit', '--quiet', '--all', '--message', 'Change');
      const steps = await selectedSteps();
      expect(steps).toEqual(expect.arrayContaining(['format', 'lint', 'imports', 'types', 'handlers', 'contracts']));
      expect(steps).not.toContain('migrations');
      await write('apps/one/src/migrations/new.ts', 'export const migration = 1;\n');
      expect(await selectedSteps()).toContain('migrations');
    });
  });

  function check(...steps: string[]): Promise<{ exitCode: number | null; output: string }> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [path.join(checkout, 'deploy/build/check/check.mjs'), ...steps],
        (_, output, problem) => resolve({ exitCode: child.exitCode, output: output + problem }),
      );
    });
  }
});
