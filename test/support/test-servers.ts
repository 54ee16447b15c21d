import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../../deploy/local/cache-folder';
import { findFreePorts } from '../../deploy/local/free-ports';
import { findNatsBinary } from '../../deploy/local/nats/nats-binary';
import { natsConfig, natsProcess } from '../../deploy/local/nats/nats-process';
import { installPostgresBinaries } from '../../deploy/local/postgres/postgres-binaries';
import { ensurePostgresCluster, SUPERUSER } from '../../deploy/local/postgres/postgres-cluster';
import { postgresProcess } from '../../deploy/local/postgres/postgres-process';
import { postgresUser } from '../../deploy/local/postgres/postgres-user';
import type { ProcessSpec } from '../../deploy/local/processes/process-spec';
import { RunningProcess } from '../../deploy/local/processes/running-process';
import { untilReady } from '../../deploy/local/processes/until-ready';

const STOP_WITHIN_MS = 5_000;
/** The data is thrown away with the folder, so nothing needs to survive a crash of the machine. */
const FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

interface TestServer {
  url: string;
  process: RunningProcess;
}

export interface TestServers {
  /** May create roles and schemas. */
  databaseUrl: string;
  natsUrl: string;
  stop(): Promise<void>;
}

/** A real PostgreSQL and a real NATS server with JetStream, in a folder of their own that goes when they stop. */
export async function startTestServers(): Promise<TestServers> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-test-'));
  const [postgresPort, natsPort] = (await findFreePorts(2)) as [number, number];
  const [postgres, nats] = await Promise.all([startPostgres(folder, postgresPort), startNats(folder, natsPort)]);
  return {
    databaseUrl: postgres.url,
    natsUrl: nats.url,
    async stop() {
      await Promise.all([postgres, nats].map((server) => server.process.stop(STOP_WITHIN_MS)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startPostgres(root: string, port: number): Promise<TestServer> {
  const user = postgresUser();
  const binDir = await installPostgresBinaries(cacheFolder(process.env), user);
  const cluster = {
    binDir,
    user,
    folder: path.join(root, 'postgres'),
    logFile: path.join(root, 'postgres.log'),
    env: process.env,
  };
  const password = randomBytes(16).toString('hex');
  await ensurePostgresCluster(cluster, password);
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  return { url, process: await startServer(postgresProcess(cluster, port, FORGETFUL)) };
}

async function startNats(root: string, port: number): Promise<TestServer> {
  const binary = await findNatsBinary(cacheFolder(process.env), process.env);
  const configFile = path.join(root, 'nats.conf');
  await writeFile(configFile, natsConfig(port, path.join(root, 'nats')));
  const spec = natsProcess({ binary, configFile, port, logFile: path.join(root, 'nats.log'), env: process.env });
  return { url: `nats://127.0.0.1:${port}`, process: await startServer(spec) };
}

async function startServer(spec: ProcessSpec): Promise<RunningProcess> {
  const server = await RunningProcess.start(spec);
  await untilReady(spec, server);
  return server;
}
