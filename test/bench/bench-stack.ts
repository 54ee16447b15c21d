import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Stack } from '../../deploy/local/stack-file';
import { LocalStack } from '../support/local-stack';
import { writeBenchCatalog } from './bench-catalog';
import type { FullBackend } from './full-backend';

/** The sandbox's own queue is not measured: the sandbox reports that it accepts any number of tasks. */
export const SANDBOX_TASKS_AT_ONCE = '5000';

/** The whole of Kinora with models that have long deadlines, in temporary folders that are deleted at its end. */
export class BenchStack {
  private constructor(
    private running: LocalStack,
    private readonly dataDir: string,
    private readonly env: NodeJS.ProcessEnv & { KINORA_CONFIG_DIR: string },
  ) {}

  /** @param backend runs the jobs of the default model instead of the sandbox. */
  static async start(env: NodeJS.ProcessEnv = {}, backend?: FullBackend): Promise<BenchStack> {
    const [dataDir, configDir] = (await Promise.all(
      ['data', 'config'].map((name) => mkdtemp(path.join(os.tmpdir(), `kinora-bench-${name}-`))),
    )) as [string, string];
    const wholeEnv = { SANDBOX_TASKS_AT_ONCE, ...env, KINORA_CONFIG_DIR: configDir };
    try {
      await writeBenchCatalog(configDir, backend ? { provider: backend.instance.id } : {});
      if (backend) {
        const providers = JSON.stringify({ providers: [backend.instance] });
        await writeFile(path.join(configDir, 'providers.yaml'), providers);
      }
      return new BenchStack(await LocalStack.start({ dataDir, env: wholeEnv }), dataDir, wholeEnv);
    } catch (error) {
      await removeFolders([dataDir, configDir]);
      throw error;
    }
  }

  describe(): Promise<Stack> {
    return this.running.describe();
  }

  /** Stops the stack and starts it again in the same folder. @returns how long that start took. */
  async restart(): Promise<number> {
    await this.running.end();
    const begunAt = performance.now();
    this.running = await LocalStack.start({ dataDir: this.dataDir, env: this.env });
    return performance.now() - begunAt;
  }

  /** @throws if the invariants of wallets and ledger are broken. */
  async stop(): Promise<void> {
    try {
      await this.running.stop();
    } finally {
      await this.removeFolders();
    }
  }

  async end(): Promise<void> {
    try {
      await this.running.end();
    } finally {
      await this.removeFolders();
    }
  }

  private removeFolders(): Promise<void> {
    return removeFolders([this.dataDir, this.env.KINORA_CONFIG_DIR]);
  }
}

async function removeFolders(folders: string[]): Promise<void> {
  // A server that was killed may still write for a moment.
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 50 });
}
