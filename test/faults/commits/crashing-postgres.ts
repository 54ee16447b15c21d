import { randomBytes } from 'node:crypto';
import { open, readdir, rm, writeFile } from 'node:fs/promises';
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
import { childrenOf, killAll, signal, stopAll } from './server-processes';

/** One segment of the write-ahead log is the smallest unit that a crash removes. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
/** The background writer of the log would flush most commits before the crash, where nothing else does. */
const SETTINGS = { wal_writer_delay: '10s', autovacuum: 'off' };
const STREAMS_IN_SYNC = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')`;
const READ_POSITIONS = `
  SELECT pg_current_wal_flush_lsn() - '0/0' AS flushed, pg_current_wal_insert_lsn() - '0/0' AS inserted`;
/** A stopped process may hold a lock that the query for the flushed position needs. The processes then go on for a moment. */
const FREEZE_TIMEOUT_MS = 500;
const STOP_WITHIN_MS = 10_000;

/**
 * - `backend`: one server process gets `kill -9`, and the postmaster restarts all of them.
 * - `server`: all server processes get `kill -9`; what they have written survives in the page cache.
 * - `power`: the same, and the part of the write-ahead log that was not flushed to disk is gone as well.
 */
export type Crash = 'backend' | 'server' | 'power';
export const CRASHES: readonly Crash[] = ['backend', 'server', 'power'];

/** A PostgreSQL server on one port that crashes on demand and starts again on what is left of its data. */
export class CrashingPostgres {
  private server: RunningProcess | undefined;
  /** Bytes of the write-ahead log that were written or inserted, but not flushed, when the power failed. */
  lostBytes = 0;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly password: string,
  ) {}

  /** @param folder an empty folder; the caller deletes it. */
  static async start(folder: string): Promise<CrashingPostgres> {
    const [port] = (await findFreePorts(1)) as [number];
    const postgres = new CrashingPostgres(folder, port, randomBytes(16).toString('hex'));
    await postgres.start();
    return postgres;
  }

  /**
   * Starts a synchronous standby, which accepts reads: streaming replication, as operators run it.
   * @param folder an empty folder; the caller deletes it.
   */
  async startStandby(folder: string): Promise<CrashingPostgres> {
    const standby = await this.copyTo(folder);
    const standbySignal = path.join(standby.data, 'standby.signal');
    await writeFile(standbySignal, '', { mode: 0o600 });
    await giveTo(standbySignal, path.join(standby.data, 'PG_VERSION'));
    const source = `host=127.0.0.1 port=${this.port} user=postgres password=${this.password}`;
    await standby.start({ primary_conninfo: source });
    // Set after the copy was taken, because a promoted standby has no standby of its own to wait for.
    await this.administrate(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await this.administrate('SELECT pg_reload_conf()');
    await waitFor(async () => (await this.administrate(STREAMS_IN_SYNC)) === 1);
    return standby;
  }

  /**
   * Starts another server with a copy of the data.
   * @param folder as above
   */
  async startCopy(folder: string): Promise<CrashingPostgres> {
    const copy = await this.copyTo(folder);
    await copy.start();
    return copy;
  }

  private async copyTo(folder: string): Promise<CrashingPostgres> {
    const [port] = (await findFreePorts(1)) as [number];
    const copy = new CrashingPostgres(folder, port, this.password);
    await takeBaseBackup(this.url, this.data, copy.data);
    return copy;
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.administrate('SELECT pg_promote()');
  }

  /** As an administrator. */
  get url(): string {
    return this.urlAt(this.port);
  }

  /** Of a proxy in front of the server. */
  urlAt(port: number): string {
    return `postgres://postgres:${this.password}@127.0.0.1:${port}/postgres`;
  }

  async start(settings: Record<string, string> = {}): Promise<void> {
    const { folder, port, password } = this;
    const options = { folder: this.data, logFile: `${folder}/postgres.log`, cacheDir: cacheFolder(process.env) };
    await startEmbeddedPostgres(
      { ...options, port, password, env: process.env, settings: { ...SETTINGS, ...settings } },
      async (spec) => {
        this.server = await RunningProcess.start(spec);
        await untilReady(spec, this.server);
      },
    );
  }

  /** @param monitor a connection that was opened before, so that the crash comes at once. */
  async crash(kind: Crash, monitor: Client): Promise<void> {
    if (kind === 'backend') return await this.killBackend(monitor);
    if (kind === 'server') return await this.kill();
    const flushed = await this.freeze(monitor);
    await this.kill();
    await this.dropUnflushedLog(flushed);
  }

  async stop(): Promise<void> {
    await this.server?.stop(STOP_WITHIN_MS);
  }

  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url });
    // The server is about to be killed.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** @returns the number of rows. */
  async administrate(sql: string): Promise<number> {
    const client = await this.connect();
    try {
      return (await client.query(sql)).rowCount ?? 0;
    } finally {
      await client.end();
    }
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  private async killBackend(monitor: Client): Promise<void> {
    const { rows } = await monitor.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
        ORDER BY state = 'active' DESC, random() LIMIT 1`,
    );
    const [victim] = rows;
    if (!victim) throw new Error('No client is connected to the server that should crash.');
    const closed = new Promise((resolve) => monitor.once('end', resolve));
    process.kill(victim.pid, 'SIGKILL');
    await closed;
  }

  /** `kill -9` of all processes. A stopped postmaster starts no process that would escape. */
  async kill(): Promise<void> {
    const postmaster = this.server as RunningProcess;
    await stopAll([postmaster.pid]);
    const children = (await childrenOf(postmaster.pid)).map(({ pid }) => pid);
    await killAll([postmaster.pid, ...children]);
    await postmaster.exited;
  }

  /** Stops all processes but the monitor's. @returns up to where the write-ahead log is on disk. */
  private async freeze(monitor: Client): Promise<bigint> {
    const { rows } = await monitor.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const postmaster = (this.server as RunningProcess).pid;
    for (;;) {
      await stopAll([postmaster]);
      const others = (await childrenOf(postmaster)).map(({ pid }) => pid).filter((pid) => pid !== rows[0]?.pid);
      await stopAll(others);
      let isFrozen = true;
      const impatience = setTimeout(() => {
        isFrozen = false;
        for (const pid of others) signal(pid, 'SIGCONT');
      }, FREEZE_TIMEOUT_MS);
      const read = await monitor.query<{ flushed: string; inserted: string }>(READ_POSITIONS);
      clearTimeout(impatience);
      if (!isFrozen) continue;
      const { flushed = '0', inserted = '0' } = read.rows[0] ?? {};
      this.lostBytes += Number(BigInt(inserted) - BigInt(flushed));
      return BigInt(flushed);
    }
  }

  /** Overwrites the log from the position on by zeros, as in a file that was allocated and never written. */
  private async dropUnflushedLog(flushed: bigint): Promise<void> {
    const folder = path.join(this.data, 'pg_wal');
    const segment = flushed / BigInt(SEGMENT_BYTES);
    const offset = Number(flushed % BigInt(SEGMENT_BYTES));
    for (const name of await readdir(folder)) {
      if (!/^[0-9A-F]{24}$/.test(name)) continue;
      const number = BigInt(`0x${name.slice(8, 16)}`) * 256n + BigInt(`0x${name.slice(16)}`);
      if (number > segment) await rm(path.join(folder, name));
      if (number === segment) await overwriteByZeros(path.join(folder, name), offset);
    }
  }
}

async function overwriteByZeros(file: string, from: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.write(Buffer.alloc(SEGMENT_BYTES - from), 0, SEGMENT_BYTES - from, from);
  } finally {
    await handle.close();
  }
}
