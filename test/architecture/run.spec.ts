import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

const PASSES = `it('passes', () => undefined);`;
const FAILS = `it('fails', () => { throw new Error('on purpose'); });`;

interface RunEnd {
  exitCode: number | null;
  lastLine: string | undefined;
  output: string;
}

describe('the runner of the suites', () => {
  let checkout: string;

  beforeEach(async () => {
    checkout = await mkdtemp(path.join(tmpdir(), 'kinora-run-'));
    await write('package.json', '{}');
    await write('test/jest.config.cjs', `module.exports = { rootDir: '..', testMatch: ['**/*.spec.js'] };`);
    await write('deploy/build/build.mjs', '');
    await cp(path.join(ROOT, 'test/run.mjs'), path.join(checkout, 'test/run.mjs'));
    await symlink(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('prints the sum of the tests of its suites in its last line', async () => {
    await write('apps/jobs/src/job.spec.js', PASSES + PASSES);
    await write('test/e2e/jobs.spec.js', PASSES);
    await write('test/faults/kill.spec.js', PASSES + PASSES);
    expect(await run()).toMatchObject({ exitCode: 0, lastLine: '3 passed, 0 failed' });
    expect(await run('faults')).toMatchObject({ exitCode: 0, lastLine: '2 passed, 0 failed' });
    expect(await run('faults', 'unit')).toMatchObject({ exitCode: 0, lastLine: '4 passed, 0 failed' });
    expect(await run('everything')).toMatchObject({ exitCode: 2 });
  });

  it('counts failed tests, skipped tests and unreadable files', async () => {
    await write('apps/jobs/src/job.spec.js', PASSES + FAILS);
    await write('apps/jobs/src/skipped.spec.js', `it.skip('waits', () => undefined);`);
    await write('test/e2e/jobs.spec.js', `require('./nowhere');`);
    const { output, ...end } = await run();
    expect(end).toEqual({ exitCode: 1, lastLine: '1 passed, 3 failed' });
    expect(output).toContain('failed: apps/jobs/src/job.spec.js › fails\nfailed: test/e2e/jobs.spec.js\n');
  });

  it('counts a suite that has no tests as one failure', async () => {
    await write('apps/jobs/src/job.spec.js', PASSES);
    expect(await run()).toMatchObject({ exitCode: 1, lastLine: '1 passed, 1 failed' });
  });

  it('does not wait for handles that a spec leaves open, and counts them as a failure', async () => {
    await write('apps/jobs/src/job.spec.js', `${PASSES} setInterval(() => undefined, 1_000);`);
    await write('test/e2e/jobs.spec.js', PASSES);
    expect(await run()).toMatchObject({ exitCode: 1, lastLine: '2 passed, 1 failed' });
  });

  it('counts a suite whose report is truncated as one failure', async () => {
    const cutOff = `process.on('exit', () => require('node:fs').truncateSync(process.argv[process.argv.indexOf('--outputFile') + 1], 9));`;
    await write('test/jest.config.cjs', `${cutOff} module.exports = { rootDir: '..', testMatch: ['**/*.spec.js'] };`);
    for (const spec of ['apps/jobs/src/job', 'test/e2e/jobs']) await write(`${spec}.spec.js`, PASSES + PASSES);
    expect(await run()).toMatchObject({ exitCode: 1, lastLine: '0 passed, 2 failed' });
  });

  it('runs no test when the build fails', async () => {
    await write('deploy/build/build.mjs', 'process.exit(1);');
    expect(await run()).toMatchObject({ exitCode: 1, lastLine: '0 passed, 1 failed' });
  });

  async function write(file: string, text: string): Promise<void> {
    await mkdir(path.join(checkout, path.dirname(file)), { recursive: true });
    await writeFile(path.join(checkout, file), text);
  }

  function run(...suites: string[]): Promise<RunEnd> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [path.join(checkout, 'test/run.mjs'), ...suites], (_, output) =>
        resolve({ exitCode: child.exitCode, lastLine: output.trimEnd().split('\n').at(-1), output }),
      );
    });
  }
});
