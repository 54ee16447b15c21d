import { writeFile } from 'node:fs/promises';
import type { ProcessSpec } from '../processes/process-spec';
import { findNatsBinary } from './nats-binary';
import { readNatsInfo } from './nats-info';

export interface NatsOptions {
  binary: string;
  configFile: string;
  port: number;
  logFile: string;
  env: NodeJS.ProcessEnv;
}

export interface EmbeddedNatsOptions extends Omit<NatsOptions, 'binary'> {
  storeDir: string;
  cacheDir: string;
  signal?: AbortSignal;
}

export function natsProcess({ binary, configFile, port, logFile, env }: NatsOptions): ProcessSpec {
  return {
    name: 'nats',
    command: binary,
    args: ['--config', configFile],
    env,
    logFile,
    stopSignal: 'SIGTERM',
    isReady: async () => (await readNatsInfo(`127.0.0.1:${port}`)) !== null,
  };
}

/**
 * The broker's configuration, outside the store, which may be deleted at any time. It has only settings that Debian's version
 * 2.9 supports: that version refuses to start with `sync_interval`.
 */
export function natsConfig(port: number, storeDir: string): string {
  return `server_name: kinora-local
listen: "127.0.0.1:${port}"
# The fullest page of jobs is well over the default of 1 MB.
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(storeDir)} }
`;
}

/**
 * A NATS server with JetStream on loopback. `run` starts it and resolves when it is ready.
 * @returns its address.
 */
export async function startEmbeddedNats(
  { storeDir, cacheDir, signal, ...options }: EmbeddedNatsOptions,
  run: (spec: ProcessSpec) => Promise<void>,
): Promise<string> {
  const binary = await findNatsBinary({ cacheDir, env: options.env, signal });
  await writeFile(options.configFile, natsConfig(options.port, storeDir));
  await run(natsProcess({ binary, ...options }));
  return `nats://127.0.0.1:${options.port}`;
}
