import { type DataFolder, logFile } from './data-folder';
import type { LocalStackSettings } from './local-stack.config';
import { errorCode, StartProblem } from './start-problem';
import { startEmbeddedNats } from './nats/nats-process';
import { startEmbeddedPostgres } from './postgres/embedded-postgres';
import { assertNatsUsable } from './preflight';
import type { ProcessSpec } from './processes/process-spec';
import { prepareSchemas } from './schemas';
import type { Secrets } from './secrets';
import type { ContextWithSchema } from './service-instance';

export interface StoreOptions {
  settings: LocalStackSettings;
  programs: string;
  env: NodeJS.ProcessEnv;
  folder: DataFolder;
  secrets: Secrets;
  /** Starts a process and resolves when it is ready. */
  run: (spec: ProcessSpec) => Promise<void>;
  stop: AbortSignal;
}

export interface Stores {
  /** The administrator's address. */
  databaseUrl: string;
  /** The address of each context's own role. */
  contextUrls: Record<ContextWithSchema, string>;
  natsUrl: string;
}

/** PostgreSQL with all schemas, and NATS: the configured servers, or else embedded ones. */
export async function startStores(options: StoreOptions, postgresPort: number, natsPort: number): Promise<Stores> {
  const [database, natsUrl] = await Promise.all([startDatabase(options, postgresPort), startNats(options, natsPort)]);
  return { ...database, contextUrls: throughPooler(database.contextUrls, options.settings), natsUrl };
}

function throughPooler(
  urls: Stores['contextUrls'],
  { databasePoolerAddress }: LocalStackSettings,
): Stores['contextUrls'] {
  if (databasePoolerAddress === null) return urls;
  const replaced = Object.entries(urls).map(([context, address]) => {
    const url = new URL(address);
    url.host = databasePoolerAddress;
    return [context, url.toString()];
  });
  return Object.fromEntries(replaced) as Stores['contextUrls'];
}

async function startDatabase(options: StoreOptions, port: number): Promise<Omit<Stores, 'natsUrl'>> {
  const { settings, env, folder, secrets, run } = options;
  if (settings.databaseUrl !== null) {
    const contextUrls = await prepareSchemas(settings.databaseUrl, options).catch(blameDatabaseUrl);
    return { databaseUrl: settings.databaseUrl, contextUrls };
  }
  const embedded = {
    folder: folder.postgres,
    logFile: logFile(folder, 'postgres'),
    cacheDir: settings.cacheDir,
    port,
    password: secrets.postgres_password,
    env,
  };
  const databaseUrl = await startEmbeddedPostgres(embedded, run);
  return { databaseUrl, contextUrls: await prepareSchemas(databaseUrl, options) };
}

function blameDatabaseUrl(error: unknown): never {
  if (error instanceof StartProblem) throw error;
  // The error of a refused connection to a name with several addresses has an empty message.
  const reason = (error instanceof Error && error.message) || errorCode(error);
  throw new StartProblem(`DATABASE_URL: ${reason}. It must name a PostgreSQL user who may create roles and schemas.`);
}

async function startNats({ settings, env, folder, run, stop }: StoreOptions, port: number): Promise<string> {
  if (settings.natsUrl !== null) {
    await assertNatsUsable(settings.natsUrl);
    return settings.natsUrl;
  }
  const embedded = {
    storeDir: folder.nats,
    configFile: folder.natsConfig,
    logFile: logFile(folder, 'nats'),
    cacheDir: settings.cacheDir,
    port,
    env,
    signal: stop,
  };
  return startEmbeddedNats(embedded, run);
}
