import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@kinora/testing';
import { Client } from 'pg';
import { parse } from 'yaml';
import { ROOT } from '../../../deploy/build/source-files';
import { RUNBOOK } from '../../../deploy/build/rules';
import { findFreePorts } from '../../../deploy/local/free-ports';
import { type CodeBlock, codeBlocks, shellLines } from '../../support/guide-steps';

const PAGE = 'docs/operate/point-in-time.md';
/** The oldest version that the guide names, from Debian's package. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const run = promisify(execFile);

/** Commands run as the user of Debian's package, because PostgreSQL refuses root. */
class ArchivingServer {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<ArchivingServer> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-archive-'));
    await chmod(folder, 0o777);
    const [port = 0] = await findFreePorts(1);
    const server = new ArchivingServer(folder, port);
    await server.shell(`initdb --pgdata "$PGDATA" --username postgres --auth trust --no-sync`);
    await server.shell(`echo "port = ${port}" >> "$PGDATA/postgresql.conf"`);
    await server.shell(`echo "listen_addresses = '127.0.0.1'" >> "$PGDATA/postgresql.conf"`);
    await server.shell(`echo "unix_socket_directories = ''" >> "$PGDATA/postgresql.conf"`);
    await server.shell('pg_ctl start --pgdata "$PGDATA" --wait --log "$PGDATA.log"');
    return server;
  }

  get archive(): string {
    return path.join(this.folder, 'archive');
  }

  /** As an operator's shell runs it, in the repository. */
  async shell(script: string, variables: Record<string, string> = {}): Promise<string> {
    const env = {
      PATH: `${PROGRAMS}:${process.env['PATH']}`,
      PGDATA: path.join(this.folder, 'data'),
      ARCHIVE: this.archive,
      ADMIN_URL: `postgresql://postgres@127.0.0.1:${this.port}/postgres`,
      ...variables,
    };
    const output = path.join(this.folder, 'output');
    // A server that `pg_ctl` starts would keep the standard output of the shell open, so it goes to a file.
    const command = ['sh', '-euc', `exec > "$OUTPUT" 2>&1\n${script}`];
    const user = ['--user', 'postgres', '--preserve-environment', '--'];
    try {
      await run('runuser', [...user, ...command], { cwd: ROOT, env: { ...env, OUTPUT: output } });
    } catch (error) {
      throw new Error(await readFile(output, 'utf8'), { cause: error });
    }
    return await readFile(output, 'utf8');
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: '127.0.0.1', port: this.port, user: 'postgres', database: 'postgres' });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.shell('pg_ctl stop --pgdata "$PGDATA" --mode immediate');
    await rm(this.folder, { recursive: true });
  }
}

describe('a restore to a point in time, by the commands of the guide', () => {
  let server: ArchivingServer;
  let blocks: CodeBlock[];

  beforeAll(async () => {
    [server, blocks] = await Promise.all([ArchivingServer.start(), codeBlocks(PAGE)]);
  });

  afterAll(() => server.stop());

  const step = (name: string): string => {
    const found = blocks.find(({ place }) => place === name);
    if (!found) throw new Error(`${PAGE} has no commands called ${name}.`);
    return found.code;
  };

  const kept = async (): Promise<unknown[]> =>
    (await server.query('SELECT note FROM books ORDER BY id')).map(({ note }) => note);

  it('has what was committed before the moment, nothing after it, and accepts new commits', async () => {
    await server.shell(step('prepare'));
    await server.query('CREATE TABLE books (id serial, note text)');
    await server.query(`INSERT INTO books (note) VALUES ('before the backup')`);
    const base = /base-\S+/.exec(await server.shell(step('backup')))?.[0] ?? '';
    await server.query(`INSERT INTO books (note) VALUES ('before the moment')`);
    const [{ moment } = {}] = await server.query('SELECT clock_timestamp()::text AS moment');
    await server.query(`INSERT INTO books (note) VALUES ('the mistake')`);
    await server.query(`DELETE FROM books WHERE note = 'before the backup'`);

    await server.shell(step('restore'), { RESTORE_TO: String(moment), BASE: base });
    await waitFor(async () => (await server.query('SELECT pg_is_in_recovery() AS busy'))[0]?.['busy'] === false);
    expect(await server.shell(step('finish'))).toMatch(/\n f\n/);
    expect(await kept()).toEqual(['before the backup', 'before the moment']);
    await server.query(`INSERT INTO books (note) VALUES ('after the restore')`);
    expect(await kept()).toHaveLength(3);
  });

  it('goes on archiving on its new timeline, so that it can be restored again', async () => {
    await server.query('SELECT pg_switch_wal()');
    await waitFor(async () => /00000002/.test(await server.shell(`ls "$ARCHIVE/wal"`)));
    const check = await server.shell(step('check'));
    expect(check).toMatch(/last_failed_time/);
    const base = (await server.shell('ls "$ARCHIVE" | grep ^base- | head -1')).trim();
    const [{ moment } = {}] = await server.query('SELECT clock_timestamp()::text AS moment');
    await server.query(`DELETE FROM books WHERE note = 'after the restore'`);
    await server.shell(step('restore'), { RESTORE_TO: String(moment), BASE: base });
    await waitFor(async () => (await server.query('SELECT pg_is_in_recovery() AS busy'))[0]?.['busy'] === false);
    expect(await kept()).toEqual(['before the backup', 'before the moment', 'after the restore']);
  });

  it('shows what a full disk is full of, and frees what an abandoned slot keeps, by the commands of the runbook', async () => {
    await server.query(`SELECT pg_create_physical_replication_slot('abandoned', true)`);
    // The block with the second command has a blank to fill in, which `shellLines` leaves out.
    const page = await readFile(path.join(ROOT, RUNBOOK), 'utf8');
    const lines = page.split('\n').filter((line) => /^ *psql .*slot/.test(line));
    const [show = '', drop = ''] = lines;
    expect(await server.shell(show)).toMatch(/abandoned +\| f +\| \d+ (bytes|kB|MB)/);
    await server.shell(drop, { SLOT: 'abandoned' });
    expect(await server.shell(show)).toContain('(0 rows)');
  });

  it('shows how full the disk is, and starts a server that has ended, by the commands of the runbook', async () => {
    const own = (await shellLines(RUNBOOK)).filter((line) => line.includes('"$PGDATA"'));
    expect(own.map((line) => line.split(' ')[0])).toEqual(['df', 'pg_ctl']);
    await server.shell('pg_ctl stop --pgdata "$PGDATA" --mode immediate');
    for (const line of own) await server.shell(line);
    await waitFor(() => kept().catch(() => false));
    expect(await server.shell(own[0] ?? '')).toMatch(/Avail/);
  });

  it('refuses a running server and a folder that is no base backup, and changes nothing', async () => {
    const script = 'sh deploy/postgres/restore-to.sh "$RESTORE_TO" "$BASE"';
    const variables = { RESTORE_TO: '2026-01-01', BASE: 'wal' };
    await expect(server.shell(script, variables)).rejects.toThrow('is no base backup');
    const base = (await server.shell('ls "$ARCHIVE" | grep ^base- | head -1')).trim();
    await expect(server.shell(script, { ...variables, BASE: base })).rejects.toThrow('Stop the server first');
    expect(await kept()).toHaveLength(3);
  });
});

describe('the archive of compose', () => {
  const compose = parse(readFileSync(path.join(ROOT, 'deploy/docker/archive.compose.yaml'), 'utf8')) as {
    services: { postgres: { command: string[] } };
  };

  it('has the settings of the guide', async () => {
    const prepare = (await codeBlocks(PAGE)).find(({ place }) => place === 'prepare')?.code ?? '';
    const settings = compose.services.postgres.command.filter((arg) => arg.startsWith('archive_'));
    expect(settings).toHaveLength(3);
    for (const setting of settings) {
      const [name, value] = setting.split(/=(.*)/s);
      expect(prepare.replaceAll('$ARCHIVE', '/archive').replaceAll("'", '')).toContain(`SET ${name} = ${value}`);
    }
  });
});
