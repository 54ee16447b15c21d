import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { waitFor } from '@kinora/testing';

const PROGRAM = ['-r', path.join(__dirname, '../../../test/typescript.cjs'), path.join(__dirname, 'main.ts')];

/** The second field is a name in parentheses, which may contain spaces. */
function nicenessOfThread(id: string): number {
  const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

/** A process of low priority waits for all others. */
const PATIENCE_MS = 60_000;

describe('sandbox process', () => {
  const started: ChildProcess[] = [];
  afterAll(() => started.forEach((child) => child.kill('SIGKILL')));

  const start = (env: NodeJS.ProcessEnv): ChildProcess => {
    const child = spawn(process.execPath, PROGRAM, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(child);
    return child;
  };
  const firstLine = async (stream: NodeJS.ReadableStream | null): Promise<string> => {
    if (!stream) throw new Error('the process has no such output');
    const [line] = (await once(createInterface(stream), 'line')) as [string];
    return line;
  };

  it('prints where it listens and what it is, and stops at once in the middle of a drawing', async () => {
    const child = start({});
    const { address, notice } = JSON.parse(await firstLine(child.stdout)) as { address: string; notice: string };
    expect(notice).toContain('no AI model');
    const body = { operation: 'image.generation', prompt: 'pine forest', width: 2048, height: 2048, seed: 1 };
    const response = await fetch(`${address}/v1/tasks/large`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await response.json()).toMatchObject({ state: 'running' });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it(
    'draws with the niceness of the process if it is higher than that of its threads would be',
    async () => {
      const child = spawn('nice', ['-n', '15', process.execPath, ...PROGRAM], {
        env: { PATH: process.env.PATH },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(child);
      const { address } = JSON.parse(await firstLine(child.stdout)) as { address: string };
      const body = { operation: 'image.generation', prompt: 'a lake', width: 64, height: 64, seed: 1 };
      const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      await fetch(`${address}/v1/tasks/small`, init);
      const endOfTask = async (): Promise<string | false> => {
        const { state } = (await (await fetch(`${address}/v1/tasks/small`)).json()) as { state: string };
        return state !== 'queued' && state !== 'running' && state;
      };
      expect(await waitFor(endOfTask, { timeoutMs: PATIENCE_MS })).toBe('succeeded');
      // On other systems a thread has no priority of its own.
      const threads = process.platform === 'linux' ? readdirSync(`/proc/${child.pid}/task`) : [];
      expect(threads.map(nicenessOfThread).filter((niceness) => niceness < 15)).toEqual([]);
    },
    2 * PATIENCE_MS,
  );

  it('exits with one line that names an invalid setting', async () => {
    const child = start({ SANDBOX_RENDER_THREADS: 'all' });
    const exited = once(child, 'exit');
    expect(await firstLine(child.stderr)).toContain('SANDBOX_RENDER_THREADS');
    expect(await exited).toEqual([1, null]);
  });
});
