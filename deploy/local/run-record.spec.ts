import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PrivateJsonFile } from './private-json-file';
import { identify, isAlive, type ProcessIdentity } from './processes/process-identity';
import { RunRecord } from './run-record';
import { StartProblem } from './start-problem';

describe('run record', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-run-record-'));
  const strangers: ProcessIdentity[] = [];
  const file = path.join(folder, 'running.json');

  afterAll(() => {
    for (const { pid } of strangers.filter(isAlive)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  async function startForeignProcess(): Promise<ProcessIdentity> {
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

  it('ends the processes of a killed launcher', async () => {
    const left = await startForeignProcess();
    await writeRun({ pid: left.pid, started: 'long ago' }, left);
    await RunRecord.claim(file);
    expect(isAlive(left)).toBe(false);
  });

  it('spares a process that reuses the id of an earlier one', async () => {
    const innocent = await startForeignProcess();
    const earlier = { pid: innocent.pid, started: 'long ago' };
    await writeRun(earlier, earlier);
    await RunRecord.claim(file);
    expect(isAlive(innocent)).toBe(true);
  });

  it('gives the folder to one of several launchers that start together, also after a killed one', async () => {
    const contested = path.join(folder, 'contested.json');
    await new PrivateJsonFile(`${contested}.lock`).write({ pid: process.pid, started: 'long ago' });
    const claims = await Promise.allSettled(Array.from({ length: 8 }, () => RunRecord.claim(contested)));
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason as unknown] : []));
    expect(refused.every((reason) => reason instanceof StartProblem)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('contested'))).toEqual(['contested.json']);
  });

  it('removes the record of the run when it is released', async () => {
    const record = await RunRecord.claim(path.join(folder, 'released.json'));
    await record.note('jobs', process.pid, 'SIGTERM');
    await record.release();
    await expect(RunRecord.claim(path.join(folder, 'released.json'))).resolves.toBeInstanceOf(RunRecord);
  });
});
