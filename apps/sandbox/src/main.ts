import os from 'node:os';
import path from 'node:path';
import { ConfigError, createLogger, markStarted, loadConfig } from '@kinora/service-kit/without-nest';
import { createSandboxServer } from './http/sandbox.server';
import { RenderPool } from './render/render-pool';
import { SandboxConfig } from './sandbox.config';
import { TaskRegistry } from './tasks/task-registry';

async function main(): Promise<void> {
  const config = loadConfig(SandboxConfig, process.env);
  const logger = createLogger('sandbox', config.logLevel);
  const threads = config.renderThreads || Math.max(1, os.availableParallelism() - 1);
  // In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
  const worker = path.join(__dirname, `render/render.worker${path.extname(__filename)}`);
  const pool = new RenderPool({ file: worker }, threads);
  const registry = new TaskRegistry(pool.draw);
  const server = createSandboxServer(registry, () => pool.isHealthy, {
    concurrency: config.tasksAtOnce || threads,
    interleaves: true,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'sandbox_stopping');
      // No state outlives the process, so nothing needs to be completed.
      process.exit(0);
    });
  }
  const address = await server.listen({ host: config.host, port: config.port });
  markStarted();
  const notice = 'SANDBOX: code draws the images, no AI model is involved.';
  logger.info({ address, render_threads: threads, notice }, 'sandbox_started');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError || isListenError(error) ? error.message : String(error)}\n`);
  process.exit(1);
});

function isListenError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
