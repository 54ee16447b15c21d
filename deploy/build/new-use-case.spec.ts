import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SLICE = 'apps/jobs/src/use-cases/cancel-job';

describe('new use case', () => {
  let checkout: string;

  beforeEach(async () => {
    checkout = await mkdtemp(path.join(tmpdir(), 'kinora-new-use-case-'));
    await mkdir(path.join(checkout, 'apps/jobs'), { recursive: true });
    await cp(path.join(__dirname, 'new-use-case.mjs'), path.join(checkout, 'deploy/build/new-use-case.mjs'));
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('is a folder with the use case and its spec', async () => {
    expect(await run('jobs', 'cancel-job')).toBe(0);
    expect((await readdir(path.join(checkout, SLICE))).sort()).toEqual([
      'cancel-job.use-case.spec.ts',
      'cancel-job.use-case.ts',
    ]);
    const source = await readFile(path.join(checkout, SLICE, 'cancel-job.use-case.ts'), 'utf8');
    expect(source).toContain('export class CancelJob {\n  async execute(');
  });

  it.each([
    ['an app that does not exist', ['payments', 'cancel-job']],
    ['a name that is not verb-noun', ['jobs', 'CancelJob']],
  ])('is refused for %s', async (_, args) => {
    expect(await run(...args)).toBe(1);
  });

  it('never overwrites a slice', async () => {
    await run('jobs', 'cancel-job');
    expect(await run('jobs', 'cancel-job')).toBe(1);
  });

  function run(...args: string[]): Promise<number | null> {
    return new Promise((resolve) => {
      const script = path.join(checkout, 'deploy/build/new-use-case.mjs');
      const child = execFile(process.execPath, [script, ...args], () => resolve(child.exitCode));
    });
  }
});
