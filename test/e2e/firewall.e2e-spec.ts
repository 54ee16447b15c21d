import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';

const run = promisify(execFile);
/** An address that is reserved for documentation. */
const OUTSIDE = '192.0.2.1';

describe('a stack without a route out', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  const attempts = () => readFile(path.join(folder, 'attempts'), 'utf8');

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-firewall-'));
    await writeFile(path.join(folder, 'attempts'), '');
    env = {
      NODE_OPTIONS: `--require ${path.resolve('test/support/no-route-out.cjs')}`,
      KINORA_TEST_ATTEMPTS: path.join(folder, 'attempts'),
    };
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('starts and judges, and no process tries to reach anything outside of the machine', async () => {
    const stack = await LocalStack.start({ env });
    const { client } = await openAccount(stack);
    const passed = await client.generate({ prompt: 'a harbour at noon' });
    const blocked = await client.generate({ prompt: '[[output:blocked]] a harbour' });
    expect(await client.ended(passed.id)).toMatchObject({ status: 'succeeded', moderation: { status: 'passed' } });
    expect(await client.ended(blocked.id)).toMatchObject({ error: { code: 'content_blocked_output' } });
    await stack.stop();
    expect(await attempts()).toBe('');
  }, 180_000);

  it('is cut off: each attempt fails, and is noted', async () => {
    for (const host of [OUTSIDE, 'kinora.invalid']) {
      const attempt = run(process.execPath, ['-e', `await fetch('http://${host}/')`, '--input-type=module'], {
        env: { ...process.env, ...env },
      });
      await expect(attempt).rejects.toThrow('ENETUNREACH');
      expect(await attempts()).toContain(host);
    }
  });
});
