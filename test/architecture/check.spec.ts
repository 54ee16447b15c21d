import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

const CHECK = ['check', 'passed', 'source-graph', 'steps'].map((part) => `deploy/build/check/${part}.mjs`);

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
