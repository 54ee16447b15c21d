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
    await write('test/jest.config.cjs', `module.exports = { rootDir: '..', testMatch: ['**/*.spec.ts'] };`);
    await write('deploy/build/build.mjs', '');
    for (const file of ['test/run.mjs', 'test/suites.mjs', 'deploy/build/source-graph.mjs'])
      await cp(path.join(ROOT, file), path.join(checkout, file));
    await symlink(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('prints the sum of the tests of its suites in its last line', async () => {
    await write('apps/jobs/src/job.spec.ts', PASSES + PASSES);
    await write('test/e2e/jobs.main-flow.spec.ts', PASSES);
    await write('test/faults/kill.spec.ts', PASSES + PASSES);
    expect(await run()).toMatchObject({ exitCode: 0, lastLine: '3 passed, 0 failed' });
    expect(await run('faults')).toMatchObject({ exitCode: 0, lastLine: '2 passed, 0 failed' });
    expect(await run('faults', 'unit')).toMatchObject({ exitCode: 0, lastLine: '4 passed, 0 failed' });
    expect(await run('everything')).toMatchObject({ exitCode: 1, lastLine: '0 passed, 1 failed' });
  });

  it.each([0, 1])('counts the tests of the Python client, which ends with %d', async (exitCode) => {
    await write('apps/jobs/src/job.spec.ts', PASSES);
    await write('test/python/run.mjs', `console.log('3 passed in 1 s'); process.exitCode = ${exitCode};`);
    expect(await run('ci')).toMatchObject({ exitCode, lastLine: `4 passed, ${exitCode} failed` });
  });

  it('counts failed tests, skipped tests and unreadable files', async () => {
    await write('apps/jobs/src/job.spec.ts', PASSES + FAILS);
    await write('apps/jobs/src/skipped.spec.ts', `it.skip('waits', () => undefined);`);
    await write('test/e2e/jobs.main-flow.spec.ts', `require('./nowhere');`);
    const { output, ...end } = await run();
    expect(end).toEqual({ exitCode: 1, lastLine: '1 passed, 3 failed' });
    expect(output).toContain(
      'failed: apps/jobs/src/job.spec.ts › fails\nfailed: apps/jobs/src/skipped.spec.ts › waits\nfailed: test/e2e/jobs.main-flow.spec.ts\n',
    );
  });

  it('runs a failed file once more, and names it as flaky where it passes alone', async () => {
    const flag = path.join(checkout, 'seen');
    const once = `const fs = require('node:fs'); const seen = fs.existsSync('${flag}'); fs.writeFileSync('${flag}', '');`;
    await write('apps/jobs/src/job.spec.ts', `${once} it('passes later', () => expect(seen).toBe(true));`);
    await write('apps/jobs/src/other.spec.ts', PASSES);
    const { output, ...end } = await run('unit');
    expect(end).toEqual({ exitCode: 0, lastLine: '2 passed, 0 failed' });
    expect(output).toMatch(/\nflaky: apps\/jobs\/src\/job\.spec\.ts: failed after .* passes later\n1 flaky: /);
  });

  it('runs a context with the libraries that it imports', async () => {
    await write('tsconfig.json', '{ "compilerOptions": {} }');
    await write('apps/jobs/src/job.ts', `import '../../../libs/bus/src/bus';`);
    for (const file of ['libs/bus/src/bus.ts', 'libs/images/src/image.ts']) await write(file, '');
    for (const folder of ['apps/jobs', 'apps/billing', 'libs/bus', 'libs/images'])
      await write(`${folder}/src/it.spec.ts`, PASSES);
    expect(await run('jobs')).toMatchObject({ exitCode: 0, lastLine: '2 passed, 0 failed' });
    expect(await run('libs/images')).toMatchObject({ exitCode: 0, lastLine: '1 passed, 0 failed' });
  });

  it('counts a suite that has no tests as one failure', async () => {
    await write('apps/jobs/src/job.spec.ts', PASSES);
    expect(await run('faults')).toMatchObject({ exitCode: 1, lastLine: '0 passed, 1 failed' });
  });

  it('does not wait for handles that a spec leaves open, and counts them as a failure', async () => {
    await write('apps/jobs/src/job.spec.ts', `${PASSES} setInterval(() => undefined, 1_000);`);
    await write('test/e2e/jobs.main-flow.spec.ts', PASSES);
    expect(await run()).toMatchObject({ exitCode: 1, lastLine: '2 passed, 1 failed' });
  });

  it('counts a suite whose report is truncated as one failure', async () => {
    const cutOff = `process.on('exit', () => require('node:fs').truncateSync(process.argv[process.argv.indexOf('--outputFile') + 1], 9));`;
    await write('test/jest.config.cjs', `${cutOff} module.exports = { rootDir: '..', testMatch: ['**/*.spec.ts'] };`);
    for (const spec of ['apps/jobs/src/job', 'test/e2e/jobs.main-flow'])
      await write(`${spec}.spec.ts`, PASSES + PASSES);
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
