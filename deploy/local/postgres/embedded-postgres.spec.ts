import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createDataSource } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { cacheFolder } from '../data-folder';
import { findFreePorts } from '../free-ports';
import { Supervisor } from '../processes/supervisor';
import { startEmbeddedPostgres } from './embedded-postgres';

describe('embedded PostgreSQL', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-postgres-'));
  // Only the owner may enter, and as root the server runs as another user.
  chmodSync(folder, 0o700);
  const password = randomBytes(8).toString('hex');
  const supervisors: Supervisor[] = [];

  afterAll(async () => {
    for (const supervisor of supervisors) await supervisor.stop(supervisor.names, 5_000);
    // The processes of a killed server write files until they notice that it is gone.
    rmSync(folder, { recursive: true, maxRetries: 50 });
  });

  async function start(): Promise<{ url: string; kill: () => Promise<void> }> {
    const ignore = (): void => undefined;
    const supervisor = new Supervisor({ started: ignore, exited: ignore, startFailed: ignore });
    supervisors.push(supervisor);
    const [port] = (await findFreePorts(1)) as [number];
    const options = {
      folder: path.join(folder, 'postgres'),
      logFile: path.join(folder, 'postgres.log'),
      cacheDir: cacheFolder(process.env),
      port,
      password,
      env: process.env,
    };
    const url = await startEmbeddedPostgres(options, (spec) => supervisor.run(spec));
    return { url, kill: () => supervisor.stop(supervisor.names, 0) };
  }

  async function query(url: string, sql: string): Promise<unknown> {
    const dataSource = await createDataSource({ url, name: 'spec', poolSize: 2 }).initialize();
    try {
      return await dataSource.query(sql);
    } finally {
      await dataSource.destroy();
    }
  }

  it('keeps committed data, even if it is killed', async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE kept AS SELECT 'Grüße' AS word");
    await first.kill();
    const second = await start();
    expect(await query(second.url, 'SELECT word FROM kept')).toEqual([{ word: 'Grüße' }]);
    await second.kill();
  });

  it('waits for the remaining processes of a killed server', async () => {
    const first = await start();
    const dataSource = await createDataSource({ url: first.url, name: 'spec', poolSize: 1 }).initialize();
    const [{ pid }] = await dataSource.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
    process.kill(pid, 'SIGSTOP');
    await first.kill();
    const log = readFileSync(path.join(folder, 'postgres.log'), 'utf8').length;
    const second = start();
    await waitFor(
      () => readFileSync(path.join(folder, 'postgres.log'), 'utf8').indexOf('shared memory block', log) > 0,
    );
    process.kill(pid, 'SIGCONT');
    await (await second).kill();
    await dataSource.destroy().catch(() => undefined);
  });

  it('refuses a connection with a wrong password', async () => {
    const { url, kill } = await start();
    const stranger = new URL(url);
    stranger.password = 'guess';
    await expect(query(stranger.toString(), 'SELECT')).rejects.toThrow('password authentication failed');
    await kill();
  });

  it('flushes to disk before it confirms a commit', async () => {
    const { url } = await start();
    const settings = 'SELECT current_setting($$fsync$$) AS fsync, current_setting($$server_encoding$$) AS encoding';
    expect(await query(url, settings)).toEqual([{ fsync: 'on', encoding: 'UTF8' }]);
  });
});
