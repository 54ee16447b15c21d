import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Stack } from '../../deploy/local/stack-file';
import { LocalStack } from '../support/local-stack';
import { writeBenchCatalog } from './bench-catalog';

/** The line in front of the sandbox is not what is measured: it says that it takes all that comes. */
export const SANDBOX_TASKS_AT_ONCE = '5000';

/** The whole of Kinora with models that have patience, in folders of its own that go when it ends. */
export class BenchStack {
  private constructor(
    private running: LocalStack,
    private readonly dataDir: string,
    private readonly env: NodeJS.ProcessEnv & { KINORA_CONFIG_DIR: string },
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<BenchStack> {
    const [dataDir, configDir] = (await Promise.all(
      ['data', 'config'].map((name) => mkdtemp(path.join(os.tmpdir(), `kinora-bench-${name}-`))),
    )) as [string, string];
    const wholeEnv = { SANDBOX_TASKS_AT_ONCE, ...env, KINORA_CONFIG_DIR: configDir };
    try {
      await writeBenchCatalog(configDir);
      return new BenchStack(await LocalStack.start({ dataDir, env: wholeEnv }), dataDir, wholeEnv);
    } catch (error) {
      await removeFolders([dataDir, configDir]);
      throw error;
    }
  }

  describe(): Promise<Stack> {
    return this.running.describe();
  }

  /** Ends it and starts it again in the same folder. @returns how long that start took. */
  async restart(): Promise<number> {
    await this.running.end();
    const begunAt = performance.now();
    this.running = await LocalStack.start({ dataDir: this.dataDir, env: this.env });
    return performance.now() - begunAt;
  }

  /** @throws where the money of the jobs is not right. */
  async stop(): Promise<void> {
    await this.running.stop().finally(() => this.removeFolders());
  }

  async end(): Promise<void> {
    await this.running.end().finally(() => this.removeFolders());
  }

  private removeFolders(): Promise<void> {
    return removeFolders([this.dataDir, this.env.KINORA_CONFIG_DIR]);
  }
}

async function removeFolders(folders: string[]): Promise<void> {
  // A server that was ended in a hurry may still write for a moment.
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 50 });
}
