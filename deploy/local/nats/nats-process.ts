import type { ProcessSpec } from '../processes/process-spec';
import { readNatsInfo } from './nats-info';

export interface NatsOptions {
  binary: string;
  configFile: string;
  port: number;
  logFile: string;
  env: NodeJS.ProcessEnv;
}

/** How the broker is started. */
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
 * The broker's configuration; it lies outside the store, which may be deleted at any time. Only settings that Debian's
 * 2.9 knows: that one refuses to start with `sync_interval`.
 */
export function natsConfig(port: number, storeDir: string): string {
  return `server_name: kinora-local
listen: "127.0.0.1:${port}"
# The fullest page of jobs is well over the default of 1 MB.
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(storeDir)} }
`;
}
