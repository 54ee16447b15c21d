import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PrivateJsonFile } from './private-json-file';
import { identify, isAlive, type ProcessIdentity } from './processes/process-identity';
import { RunRecord } from './run-record';

describe('run record', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-run-record-'));
  const strangers: ProcessIdentity[] = [];
  const file = path.join(folder, 'running.json');

  afterAll(() => {
    for (const { pid } of strangers.filter(isAlive)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  async function startStranger(): Promise<ProcessIdentity> {
    const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    const identity = identify(child.pid as number) as ProcessIdentity;
    strangers.push(identity);
    return identity;
  }

  async function writeRun(launcher: ProcessIdentity, left: ProcessIdentity): Promise<void> {
    const processes = { jobs: { ...left, stop_signal: 'SIGTERM' } };
    await new PrivateJsonFile(file).write({ launcher, processes });
  }

  it('keeps a second launcher off the data folder', async () => {
    const launcher = await startStranger();
    await writeRun(launcher, launcher);
    await expect(RunRecord.claim(file)).rejects.toThrow(
      `Kinora already runs with this data folder (process ${launcher.pid})`,
    );
    expect(isAlive(launcher)).toBe(true);
  });

  it('ends what a killed launcher left behind', async () => {
    const left = await startStranger();
    await writeRun({ pid: left.pid, started: 'long ago' }, left);
    await RunRecord.claim(file);
    expect(isAlive(left)).toBe(false);
  });

  it('spares a process that got the number of an earlier one', async () => {
    const innocent = await startStranger();
    const earlier = { pid: innocent.pid, started: 'long ago' };
    await writeRun(earlier, earlier);
    await RunRecord.claim(file);
    expect(isAlive(innocent)).toBe(true);
  });

  it('forgets the run when it is released', async () => {
    const record = await RunRecord.claim(path.join(folder, 'released.json'));
    await record.note('jobs', process.pid, 'SIGTERM');
    await record.release();
    await expect(RunRecord.claim(path.join(folder, 'released.json'))).resolves.toBeInstanceOf(RunRecord);
  });
});
