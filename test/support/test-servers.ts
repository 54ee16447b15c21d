import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../../deploy/local/data-folder';
import { findFreePorts } from '../../deploy/local/free-ports';
import { startEmbeddedNats } from '../../deploy/local/nats/nats-process';
import { startEmbeddedPostgres } from '../../deploy/local/postgres/embedded-postgres';
import type { ProcessSpec } from '../../deploy/local/processes/process-spec';
import { RunningProcess } from '../../deploy/local/processes/running-process';
import { untilReady } from '../../deploy/local/processes/until-ready';

const STOP_WITHIN_MS = 5_000;
/** The data is deleted with the folder, so it does not have to survive a crash of the machine, or to be replicated. */
const FORGETFUL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

export interface TestServers {
  /** May create roles and schemas. */
  databaseUrl: string;
  natsUrl: string;
  stop(): Promise<void>;
}

/** A real PostgreSQL and a real NATS server with JetStream, in a folder of their own that is deleted when they stop. */
export async function startTestServers(): Promise<TestServers> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-test-'));
  const servers: RunningProcess[] = [];
  const run = async (spec: ProcessSpec): Promise<void> => {
    const server = await RunningProcess.start(spec);
    servers.push(server);
    await untilReady(spec, server);
  };
  const shared = { cacheDir: cacheFolder(process.env), env: process.env };
  const [postgresPort, natsPort] = (await findFreePorts(2)) as [number, number];
  const [databaseUrl, natsUrl] = await Promise.all([
    startEmbeddedPostgres({ ...shared, ...postgresIn(folder), port: postgresPort, settings: FORGETFUL }, run),
    startEmbeddedNats({ ...shared, ...natsIn(folder), port: natsPort }, run),
  ]);
  return {
    databaseUrl,
    natsUrl,
    async stop() {
      await Promise.all(servers.map((server) => server.stop(STOP_WITHIN_MS)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function postgresIn(folder: string): { folder: string; logFile: string; password: string } {
  return {
    folder: path.join(folder, 'postgres'),
    logFile: path.join(folder, 'postgres.log'),
    password: randomBytes(16).toString('hex'),
  };
}

function natsIn(folder: string): { storeDir: string; configFile: string; logFile: string } {
  return {
    storeDir: path.join(folder, 'nats'),
    configFile: path.join(folder, 'nats.conf'),
    logFile: path.join(folder, 'nats.log'),
  };
}
