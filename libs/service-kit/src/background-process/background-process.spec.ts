import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TYPESCRIPT_ARGUMENTS, waitFor } from '@kinora/testing';
import { SemaphoreTimeout } from '../semaphore';
import { BackgroundProcess } from './background-process';
import type { TestReply, TestWork } from './work.fixtures';

const PROGRAM = { file: join(__dirname, 'work.fixtures.ts'), execArgv: TYPESCRIPT_ARGUMENTS };

type TestProcess = BackgroundProcess<{ work: TestWork; bytes?: Buffer }, TestReply>;

describe('a background process', () => {
  const started: TestProcess[] = [];

  function start(idleMs?: number, stuckMs?: number): TestProcess {
    const process: TestProcess = new BackgroundProcess(PROGRAM, idleMs, stuckMs);
    started.push(process);
    return process;
  }

  afterEach(() => started.splice(0).forEach((one) => one.close()));

  it('starts with its first request, and works on bytes', async () => {
    const work = start();
    expect(work.pid).toBeUndefined();
    const bytes = Buffer.from([1, 2, 3]);
    expect(await work.run({ work: 'double', bytes })).toEqual({ bytes: Buffer.from([2, 4, 6]) });
    const { pid } = work;
    expect(pid).not.toBe(process.pid);
    await Promise.all([work.run({ work: 'double' }), work.run({ work: 'double' })]);
    expect(work.pid).toBe(pid);
  });

  it('has a low priority, and so has its session, and it knows no secret', async () => {
    const work = start();
    const { priority, session, environment } = await work.run({ work: 'describe' });
    const given = environment?.filter((name) => !name.startsWith('NODE_CHANNEL_'));
    expect(['PATH', 'MALLOC_ARENA_MAX']).toEqual(expect.arrayContaining(given ?? ['no answer']));
    if (process.platform !== 'linux') return;
    expect(priority).toBeGreaterThanOrEqual(10);
    if (session === null) return;
    // Without root, the kernel makes processes wait that lower their sessions at the same time.
    await waitFor(async () => (await work.run({ work: 'describe' })).session?.includes('nice 10'));
  });

  it('rejects a request whose work fails, and goes on', async () => {
    const work = start();
    await expect(work.run({ work: 'fail' })).rejects.toThrow('cannot work');
    expect(await work.run({ work: 'double', bytes: Buffer.from([4]) })).toEqual({ bytes: Buffer.from([8]) });
  });

  it('does not begin work that comes after its time limit, and says so', async () => {
    const work = start();
    await expect(work.run({ work: 'double' }, -1)).rejects.toBeInstanceOf(SemaphoreTimeout);
    expect(await work.run({ work: 'double', bytes: Buffer.from([4]) }, 60_000)).toEqual({ bytes: Buffer.from([8]) });
  });

  it('rejects all requests that wait when it ends, and the next request starts another one', async () => {
    const work = start();
    const waiting = [work.run({ work: 'crash' }), work.run({ work: 'never' })];
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(String((outcomes[1] as PromiseRejectedResult).reason)).toContain('work.fixtures.ts did not finish');
    expect(await work.run({ work: 'double', bytes: Buffer.from([4]) })).toEqual({ bytes: Buffer.from([8]) });
  });

  it('rejects a request if its program cannot run', async () => {
    const missing: TestProcess = new BackgroundProcess({ file: join(__dirname, 'missing.js'), execArgv: [] });
    await expect(missing.run({ work: 'double' })).rejects.toThrow('did not finish');
  });

  it('is ended where it replies to nothing for a while, and the next request starts another one', async () => {
    const work = start(undefined, 5_000);
    await work.run({ work: 'double' });
    const { pid } = work;
    const stuck = work.run({ work: 'never' });
    await expect(stuck).rejects.toThrow('did not finish: The process ended (SIGKILL)');
    expect(await work.run({ work: 'double', bytes: Buffer.from([4]) })).toEqual({ bytes: Buffer.from([8]) });
    expect(work.pid).not.toBe(pid);
  });

  it('ends when it was idle for a while', async () => {
    const work = start(20);
    await work.run({ work: 'double' });
    await waitFor(() => work.pid === undefined);
    expect(await work.run({ work: 'double', bytes: Buffer.from([4]) })).toEqual({ bytes: Buffer.from([8]) });
  });

  it('ends with its parent, also where that is killed', async () => {
    if (process.platform !== 'linux') return;
    const parent = fork(join(__dirname, 'parent.fixtures.ts'), { execArgv: TYPESCRIPT_ARGUMENTS });
    const [pid] = (await once(parent, 'message')) as [number];
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    parent.kill('SIGKILL');
    await waitFor(() => !existsSync(`/proc/${pid}`));
  });
});
