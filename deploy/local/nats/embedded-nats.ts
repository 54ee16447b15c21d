import { writeFile } from 'node:fs/promises';
import type { ProcessSpec } from '../processes/process-spec';
import { findNatsBinary } from './nats-binary';
import { natsConfig, natsProcess } from './nats-process';

export interface EmbeddedNatsOptions {
  storeDir: string;
  configFile: string;
  logFile: string;
  cacheDir: string;
  port: number;
  env: NodeJS.ProcessEnv;
  /** Aborts the download of the program. */
  signal?: AbortSignal;
}

/**
 * A NATS server with JetStream on loopback. `run` starts it and resolves when it is ready.
 * @returns its address.
 */
export async function startEmbeddedNats(
  { storeDir, configFile, logFile, cacheDir, port, env, signal }: EmbeddedNatsOptions,
  run: (spec: ProcessSpec) => Promise<void>,
): Promise<string> {
  const binary = await findNatsBinary({ cacheDir, env, signal });
  await writeFile(configFile, natsConfig(port, storeDir));
  await run(natsProcess({ binary, configFile, port, logFile, env }));
  return `nats://127.0.0.1:${port}`;
}
