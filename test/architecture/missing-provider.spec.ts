import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ThrowawayCopy } from '../mutations/throwaway-copy';
import { moduleProblems } from './modules';

interface Outcome {
  exitCode: number | null;
  output: string;
}

const MODULE = 'apps/billing/src/billing.module.ts';
const LACKING = /can't resolve dependencies of the .*\?.*WalletRepository.* is available in the BillingModule/;

describe('modules', () => {
  it('lack no provider', async () => {
    expect(await moduleProblems()).toEqual([]);
  });
});

describe('a provider that a module lacks', () => {
  let copy: ThrowawayCopy;

  beforeAll(async () => {
    copy = await ThrowawayCopy.make();
    const file = path.join(copy.folder, MODULE);
    const source = await readFile(file, 'utf8');
    expect(source).toContain('  WalletRepository,\n');
    await writeFile(file, source.replace('  WalletRepository,\n', ''));
  });

  afterAll(() => copy.remove());

  it('is named by npm run check, with the way to fix it', async () => {
    const { exitCode, output } = await run('-r', './test/typescript.cjs', 'test/architecture/check-modules.ts');
    expect(output).toMatch(LACKING);
    expect(output).toContain('Name it among the providers of the module');
    expect(exitCode).toBe(1);
  });

  it('is named by a spec, which ends although its set-up leaves connections open', async () => {
    const jest = [
      'node_modules/jest/bin/jest.js',
      '-c',
      'test/jest.config.cjs',
      'apps/billing/src/billing.spec.ts',
      '-i',
    ];
    const { exitCode, output } = await run(...jest);
    expect(output).toMatch(LACKING);
    expect(exitCode).toBe(1);
  });

  function run(...args: string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, { cwd: copy.folder }, (_, output, problem) =>
        resolve({ exitCode: child.exitCode, output: output + problem }),
      );
    });
  }
});
