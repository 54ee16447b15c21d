import path from 'node:path';
import { IsInt, IsString, Max, Min } from 'class-validator';
import { ConfigError, loadConfig, Setting } from '@kinora/service-kit/without-nest';
import { cacheFolder } from './data-folder';
import { type Replicas, type ServiceName, SERVICES } from './service-instance';
import { StartProblem } from './start-problem';

const MOST_PROCESSES = 32;

/** Parses `gateway=4,jobs=2`. */
export function parseReplicas(text: string): Replicas {
  const parts = text.split(',').map((part) => part.trim());
  return Object.fromEntries(parts.filter((part) => part !== '').map(parseReplica));
}

function parseReplica(part: string): [ServiceName, number] {
  const [name, count] = part.split('=').map((piece) => piece.trim());
  const service = SERVICES.find((candidate) => candidate === name);
  // The sandbox keeps its jobs in memory: a second process would not find those of the first.
  if (service === undefined || service === 'sandbox') {
    const known = SERVICES.filter((candidate) => candidate !== 'sandbox').join(', ');
    throw new StartProblem(`KINORA_REPLICAS: "${part}" must be <service>=<count>, and the service one of ${known}.`);
  }
  if (!/^[1-9]\d?$/.test(count ?? '') || Number(count) > MOST_PROCESSES) {
    throw new StartProblem(`KINORA_REPLICAS: "${part}" must ask for 1 to ${MOST_PROCESSES} processes.`);
  }
  return [service, Number(count)];
}

/** The settings of `npm start`. */
export class LocalStackConfig {
  @Setting({ env: 'KINORA_PORT', description: 'Port of the HTTP API.' })
  @IsInt()
  @Min(1)
  @Max(65_535)
  port = 8080;

  @Setting({
    env: 'KINORA_CONSOLE_PORT',
    description: 'Port of the console; the one after KINORA_PORT when 0, or any free one if that is taken.',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  consolePort = 0;

  @Setting({ env: 'KINORA_DATA_DIR', description: 'Folder for everything durable.' })
  @IsString()
  dataDir = '.kinora';

  @Setting({
    env: 'KINORA_CACHE_DIR',
    description: "Folder for downloads and unpacked programs; `kinora` in the user's cache folder when empty.",
  })
  @IsString()
  cacheDir = '';

  @Setting({
    env: 'KINORA_CONFIG_DIR',
    description: "Folder of the operator's files; `config` in the data folder when empty.",
  })
  @IsString()
  configDir = '';

  @Setting({ env: 'KINORA_REPLICAS', description: 'Processes of a service, for example gateway=4,jobs=2.' })
  @IsString()
  replicas = '';

  @Setting({
    env: 'DATABASE_URL',
    description:
      'Address of a PostgreSQL server that replaces the embedded one; its user must be allowed to create roles and schemas.',
    secret: true,
  })
  @IsString()
  databaseUrl = '';

  @Setting({
    env: 'DATABASE_POOLER_ADDRESS',
    description:
      'Host and port of a pooler in front of PostgreSQL that the services connect through, with DATABASE_POOLER; the launcher itself connects directly.',
  })
  @IsString()
  databasePoolerAddress = '';

  @Setting({
    env: 'NATS_URL',
    description:
      'Addresses of NATS servers that replace the embedded one; they need JetStream and a max_payload of 8MB.',
    secret: true,
  })
  @IsString()
  natsUrl = '';
}

export type LocalStackSettings = ReturnType<typeof readLocalStackSettings>;

/** @throws StartProblem that names the first invalid variable. */
export function readLocalStackSettings(env: NodeJS.ProcessEnv) {
  const config = loadOrExplain(env);
  const dataDir = path.resolve(config.dataDir);
  return {
    port: config.port,
    /** Null for the port after that of the API, or any free one. */
    consolePort: config.consolePort || null,
    dataDir,
    configDir: config.configDir === '' ? path.join(dataDir, 'config') : path.resolve(config.configDir),
    cacheDir: cacheFolder(env),
    replicas: parseReplicas(config.replicas),
    /** Null for the embedded server. */
    databaseUrl: config.databaseUrl || null,
    /** Null where the services connect directly. */
    databasePoolerAddress: config.databasePoolerAddress || null,
    natsUrl: config.natsUrl || null,
  };
}

function loadOrExplain(env: NodeJS.ProcessEnv): LocalStackConfig {
  try {
    return loadConfig(LocalStackConfig, env);
  } catch (error) {
    throw error instanceof ConfigError ? new StartProblem(error.message) : error;
  }
}
