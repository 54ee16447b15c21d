import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ProcessSpec } from './processes/process-spec';
import { Supervisor } from './processes/supervisor';
import { stopStack } from './stop-stack';

const WITHIN_MS = 3_000;
const STAYS = 'console.log("ready"); setInterval(() => {}, 1000);';
const DEAF = `process.on("SIGTERM", () => console.log("asked")); ${STAYS}`;
const endsAfter = (ms: number): string =>
  `process.on("SIGTERM", () => setTimeout(() => { console.log("in order"); process.exit(); }, ${ms})); ${STAYS}`;

describe('stop of the stack', () => {
  let folder: string;
  let supervisor: Supervisor;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-stop-'));
    supervisor = new Supervisor({ started: () => undefined, exited: () => undefined, startFailed: () => undefined });
  });

  afterEach(async () => {
    await supervisor.stop(supervisor.names, 0);
    rmSync(folder, { recursive: true });
  });

  const logOf = (name: string): string => readFileSync(path.join(folder, `${name}.log`), 'utf8');

  async function run(processes: Record<string, string>): Promise<void> {
    const specs = Object.entries(processes).map(([name, code]): ProcessSpec => {
      const logFile = path.join(folder, `${name}.log`);
      const isReady = async (): Promise<boolean> => logOf(name).includes('ready');
      return { name, command: process.execPath, args: ['-e', code], env: {}, logFile, stopSignal: 'SIGTERM', isReady };
    });
    await Promise.all(specs.map((spec) => supervisor.run(spec)));
  }

  it('leaves the stores all the time that the services do not need', async () => {
    await run({ gateway: STAYS, jobs: STAYS, postgres: endsAfter(WITHIN_MS * 0.6), nats: STAYS });
    await stopStack(supervisor, WITHIN_MS);
    expect(logOf('postgres')).toContain('in order');
  });

  it('leaves the stores some time when no service hears', async () => {
    await run({ gateway: DEAF, jobs: DEAF, postgres: endsAfter(WITHIN_MS * 0.1), nats: DEAF });
    const startedAt = performance.now();
    await stopStack(supervisor, WITHIN_MS);
    expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS * 1.1);
    expect(logOf('postgres')).toContain('in order');
    expect(logOf('jobs')).toContain('asked');
  });
});
