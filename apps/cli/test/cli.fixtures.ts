import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Type } from '@nestjs/common';
import { ManualClock, TestBroker, closeAll, startTestService } from '@kinora/testing';
import { runCli } from '../src/run-cli';

export interface Printed {
  exitCode: number;
  out: string;
  err: string;
}

/** Runs a command line in this process. A text is split at its spaces. */
export async function runLine(line: string | string[], env: NodeJS.ProcessEnv = {}): Promise<Printed> {
  const printed = { out: '', err: '' };
  const exitCode = await runCli(typeof line === 'string' ? line.split(' ') : line, {
    env,
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
    clock: new ManualClock(true),
  });
  return { exitCode, ...printed };
}

/** A broker with stand-ins for contexts, and a folder. */
class CliTestBed {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-cli-'));
  natsUrl!: string;
  private readonly closing = [async () => rmSync(this.folder, { recursive: true })];

  async start(controllers: Type[]): Promise<void> {
    const broker = await TestBroker.start();
    this.closing.unshift(() => broker.close());
    this.natsUrl = broker.url;
    const service = await startTestService({ name: 'contexts', natsUrl: broker.url, controllers });
    this.closing.unshift(() => service.close());
  }

  /** Without another environment: at the broker, in the name of ada. */
  run(line: string | string[], env: NodeJS.ProcessEnv = this.env): Promise<Printed> {
    return runLine(line, env);
  }

  async runJson(line: string | string[]): Promise<unknown> {
    const argv = typeof line === 'string' ? line.split(' ') : line;
    const { out, err } = await this.run([...argv, '--json']);
    return JSON.parse(out + err) as unknown;
  }

  get env(): NodeJS.ProcessEnv {
    return { NATS_URL: this.natsUrl, KINORA_OPERATOR: 'ada' };
  }

  close(): Promise<void> {
    return closeAll(this.closing);
  }
}

/** The test bed of a spec, from before its tests until after them. */
export function useCli(...controllers: Type[]): CliTestBed {
  const testBed = new CliTestBed();
  beforeAll(() => testBed.start(controllers));
  afterAll(() => testBed.close());
  return testBed;
}
