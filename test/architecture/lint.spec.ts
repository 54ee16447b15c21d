import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

const SETTINGS = ['oxlint.config.mjs', 'tsconfig.json', 'test/architecture/lint-plugin.mjs'];

describe('npm run lint', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kinora-lint-'));
    for (const file of SETTINGS) await cp(path.join(ROOT, file), path.join(folder, file));
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reads a file again when what it imports has changed, and no other file', async () => {
    await write('libs/bus/src/send.ts', 'export const send = (): void => undefined;\n');
    await write('apps/jobs/src/start.ts', `import { send } from '../../../libs/bus/src/send';\n\nsend();\n`);
    await write('apps/jobs/src/other.ts', 'export const other = 1;\n');
    expect(await lint()).toMatchObject({ exitCode: 0 });
    expect(await lint()).toEqual({ exitCode: 0, output: '' });
    await write('libs/bus/src/send.ts', 'export const send = (): Promise<void> => Promise.resolve();\n');
    const { output, exitCode } = await lint();
    expect(output).toMatch(/no-floating-promises[^]*apps\/jobs\/src\/start\.ts/);
    expect(output).toContain('"number_of_files": 2');
    expect(exitCode).toBe(1);
  });

  it('refuses a comment that changes a rule', async () => {
    // In two parts, since the rule holds here too.
    await write('apps/jobs/src/limit.ts', `// ${'oxlint'}-disable-next-line eqeqeq\nexport const limit = 1;\n`);
    const { output, exitCode } = await lint();
    expect(output).toContain('apps/jobs/src/limit.ts: a comment must not change a rule');
    expect(exitCode).toBe(1);
  });

  async function write(file: string, text: string): Promise<void> {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }

  function lint(): Promise<{ output: string; exitCode: number | null }> {
    const args = [path.join(ROOT, 'deploy/build/lint.mjs'), '-f', 'json'];
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
        resolve({ output: stdout + stderr, exitCode: child.exitCode }),
      );
    });
  }
});
