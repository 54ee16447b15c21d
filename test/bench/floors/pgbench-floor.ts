import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult } from '../load';
import { FLOOR_ACCOUNTS, FLOOR_INPUT, FLOOR_JOBS, createStatement, getStatement } from './floor-tables';

const run = promisify(execFile);

const THREADS = 2;
/** Debian installs pgbench beside the server, and does not put it on the path. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** UUIDs ordered by time, as in production: random keys would slow the floor down. */
const TIME_ORDERED_ID = `encode(overlay(uuid_send(gen_random_uuid()) PLACING
  substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 'hex')::uuid`;
const CREATE = createStatement({
  account: ':account',
  key: 'gen_random_uuid()::text',
  id: TIME_ORDERED_ID,
  input: ':input',
});
const SCRIPTS = {
  create: `\\set account random(1, ${FLOOR_ACCOUNTS})\n${CREATE};\n`,
  get: `\\set n random(1, ${FLOOR_JOBS})\n${getStatement('md5(:n)::uuid')};\n`,
};

/** The rate of PostgreSQL itself for a create, and for a read by key, with pgbench and prepared statements. */
export class PgbenchFloor {
  private constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly databaseUrl: string,
  ) {}

  /** Uses the tables of the floor, which must exist. @returns null where pgbench is not installed. */
  static async open(databaseUrl: string): Promise<PgbenchFloor | null> {
    const program = await findPgbench();
    if (program === null) return null;
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-pgbench-'));
    for (const [name, script] of Object.entries(SCRIPTS)) await writeFile(path.join(folder, `${name}.sql`), script);
    return new PgbenchFloor(program, folder, databaseUrl);
  }

  /** pgbench reports percentiles only if it logs each transaction, which would slow it down. */
  async measure(script: keyof typeof SCRIPTS, clients: number, durationMs: number): Promise<LoadResult> {
    const load = ['-c', String(clients), '-j', String(Math.min(clients, THREADS)), '-T', String(durationMs / 1_000)];
    const file = path.join(this.folder, `${script}.sql`);
    const args = ['-n', '-M', 'prepared', ...load, '-D', `input=${FLOOR_INPUT}`, '-f', file, this.databaseUrl];
    const { stdout } = await run(this.program, args);
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
    if (!(perSecond > 0)) throw new Error(`pgbench printed no rate:\n${stdout}`);
    return { perSecond, p50Ms: Number.NaN, p99Ms: Number.NaN };
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

async function findPgbench(): Promise<string | null> {
  const versions = await readdir(DEBIAN_FOLDER).catch(() => []);
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  const candidates = ['pgbench', ...newestFirst.map((version) => path.join(DEBIAN_FOLDER, version, 'bin/pgbench'))];
  for (const candidate of candidates) {
    const runs = run(candidate, ['--version']).then(
      () => true,
      () => false,
    );
    if (await runs) return candidate;
  }
  return null;
}
