import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { waitFor } from '@kinora/testing';
import { Client } from 'pg';
import { takeBaseBackup } from '../../../deploy/local/backup/base-backup';
import { giveTo } from '../../../deploy/local/backup/copy-tree';
import { cacheFolder } from '../../../deploy/local/data-folder';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { startEmbeddedPostgres } from '../../../deploy/local/postgres/embedded-postgres';
import { RunningProcess } from '../../../deploy/local/processes/running-process';
import { untilReady } from '../../../deploy/local/processes/until-ready';
import { childrenOf, killAll, stopAll } from '../../faults/commits/server-processes';

const STOP_WITHIN_MS = 10_000;
const STREAMS_IN_SYNC = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')`;

interface Server {
  port: number;
  process: RunningProcess;
}

/** A PostgreSQL primary and its synchronous standby, which accepts reads: streaming replication, as operators run it. */
export class ReplicatedPostgres {
  private constructor(
    private readonly folder: string,
    private readonly password: string,
    readonly primary: Server,
    readonly standby: Server,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-replicated-'));
    const password = randomBytes(16).toString('hex');
    const [first, second] = (await findFreePorts(2)) as [number, number];
    const primary = await startServer({ folder, name: 'primary', port: first, password });
    const standby = await startStandby({ folder, name: 'standby', port: second, password }, first);
    const postgres = new ReplicatedPostgres(folder, password, primary, standby);
    await postgres.commitSynchronously();
    return postgres;
  }

  /** As an administrator. */
  urlAt(port: number): string {
    return urlOf(port, this.password);
  }

  /** `kill -9` of the primary with all of its processes. */
  async killPrimary(): Promise<void> {
    const { pid, exited } = this.primary.process;
    // A stopped postmaster starts no process that would escape.
    await stopAll([pid]);
    await killAll([pid, ...(await childrenOf(pid)).map((child) => child.pid)]);
    await exited;
  }

  async promoteStandby(): Promise<void> {
    await this.administrate(this.standby, 'SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary, this.standby].map(({ process }) => process.stop(STOP_WITHIN_MS)));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 50 });
  }

  /** Set after the copy was taken, because a promoted standby has no standby of its own to wait for. */
  private async commitSynchronously(): Promise<void> {
    await this.administrate(this.primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await this.administrate(this.primary, 'SELECT pg_reload_conf()');
    await waitFor(async () => (await this.administrate(this.primary, STREAMS_IN_SYNC)) === 1);
  }

  /** @returns the number of rows. */
  private async administrate({ port }: Server, sql: string): Promise<number> {
    const client = new Client({ connectionString: this.urlAt(port) });
    await client.connect();
    try {
      return (await client.query(sql)).rowCount ?? 0;
    } finally {
      await client.end();
    }
  }
}

interface ServerOptions {
  folder: string;
  name: string;
  port: number;
  password: string;
}

async function startServer(options: ServerOptions, settings: Record<string, string> = {}): Promise<Server> {
  const { folder, name, port, password } = options;
  let process: RunningProcess | undefined;
  const embedded = {
    folder: path.join(folder, name),
    logFile: path.join(folder, `${name}.log`),
    cacheDir: cacheFolder(globalThis.process.env),
    env: globalThis.process.env,
  };
  await startEmbeddedPostgres({ ...embedded, port, password, settings }, async (spec) => {
    process = await RunningProcess.start(spec);
    await untilReady(spec, process);
  });
  return { port, process: process as unknown as RunningProcess };
}

async function startStandby(options: ServerOptions, primaryPort: number): Promise<Server> {
  const { folder, name, password } = options;
  const [from, to] = [path.join(folder, 'primary'), path.join(folder, name)];
  await takeBaseBackup(urlOf(primaryPort, password), from, to);
  const signal = path.join(to, 'standby.signal');
  await writeFile(signal, '', { mode: 0o600 });
  await giveTo(signal, path.join(from, 'PG_VERSION'));
  const source = `host=127.0.0.1 port=${primaryPort} user=postgres password=${password}`;
  return await startServer(options, { primary_conninfo: source });
}

function urlOf(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}
