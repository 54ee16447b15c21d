import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { copyTree, giveTo } from './copy-tree';

/** Files that belong to the running server only, or are created at its start. */
const NOT_COPIED = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_dynshmem',
]);
const WAL_SEGMENT = /^[0-9A-F]{24}$/;

/**
 * Copies the folder of a running server, as `pg_basebackup` does, which the embedded server lacks. Pages that change during the
 * copy are repaired from the write-ahead log, which is copied last.
 */
export async function takeBaseBackup(adminUrl: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl, application_name: 'backup' });
  await client.connect();
  try {
    // The temporary replication slot keeps the write-ahead log while this connection is open.
    await client.query(`SELECT pg_create_physical_replication_slot('kinora_backup', true, true)`);
    await client.query(`SELECT pg_backup_start('kinora', true)`);
    await copyTree(from, to, (name) => !NOT_COPIED.has(name));
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    await copyTree(path.join(from, 'pg_wal'), path.join(to, 'pg_wal'), (name) => WAL_SEGMENT.test(name));
    await makeEmptyFolders(from, to);
    await writeLabel(from, to, rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Creates folders, because the server requires also those whose content is not copied. */
async function makeEmptyFolders(from: string, to: string): Promise<void> {
  const there = await readdir(from, { withFileTypes: true });
  for (const { name } of there.filter((entry) => entry.isDirectory() && NOT_COPIED.has(entry.name)))
    await copyTree(path.join(from, name), path.join(to, name), () => false);
}

/**
 * Writes the backup label, from which a server that starts on the copy learns where to begin in the write-ahead log. It gets
 * the owner of the other files.
 */
async function writeLabel(from: string, to: string, label: string): Promise<void> {
  const file = path.join(to, 'backup_label');
  await writeFile(file, label, { mode: 0o600 });
  await giveTo(file, path.join(from, 'PG_VERSION'));
}
