import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../../deploy/local/cache-folder';
import { findFreePorts } from '../../deploy/local/free-ports';
import { findNatsBinary } from '../../deploy/local/nats/nats-binary';
import { natsConfig, natsProcess } from '../../deploy/local/nats/nats-process';
import { isNatsReady } from '../../deploy/local/nats/nats-ready';
import { installPostgresBinaries } from '../../deploy/local/postgres/postgres-binaries';
import { ensurePostgresCluster, SUPERUSER } from '../../deploy/local/postgres/postgres-cluster';
import { postgresProcess } from '../../deploy/local/postgres/postgres-process';
import { isPostgresReady } from '../../deploy/local/postgres/postgres-ready';
import { postgresUser } from '../../deploy/local/postgres/postgres-user';
import { RunningProcess } from '../../deploy/local/processes/running-process';
import { waitUntil } from '../../deploy/local/wait-until';

const READY_WITHIN_MS = 60_000;
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
  const password = randomBytes(16).toString('hex');
  const binDir = await installPostgresBinaries(cacheFolder(process.env), user);
  const options = {
    binDir,
    user,
    folder: path.join(root, 'postgres'),
    logFile: path.join(root, 'postgres.log'),
    env: process.env,
  };
  await ensurePostgresCluster({ ...options, password });
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  const server = await RunningProcess.start(postgresProcess({ ...options, port, settings: FORGETFUL }));
  await assertReady(server, options.logFile, () => isPostgresReady(url));
  return { url, process: server };
}

async function startNats(root: string, port: number): Promise<TestServer> {
  const binary = await findNatsBinary(cacheFolder(process.env), process.env);
  const configFile = path.join(root, 'nats.conf');
  const logFile = path.join(root, 'nats.log');
  await writeFile(configFile, natsConfig(port, path.join(root, 'nats')));
  const server = await RunningProcess.start(natsProcess({ binary, configFile, logFile, env: process.env }));
  await assertReady(server, logFile, () => isNatsReady(port));
  return { url: `nats://127.0.0.1:${port}`, process: server };
}

async function assertReady(server: RunningProcess, logFile: string, isReady: () => Promise<boolean>): Promise<void> {
  const settled = async (): Promise<boolean> => server.hasExited || isReady();
  const ready = (await waitUntil(settled, { timeoutMs: READY_WITHIN_MS })) && !server.hasExited;
  if (!ready) throw new Error(`A test server did not start; see ${logFile}`);
}
