import { mkdtemp, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { statement } from '@kinora/database';
import { FileObjectStore } from '@kinora/object-store';
import { createLogger } from '@kinora/service-kit';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { JobsConfig } from '../../jobs.config';
import { migrations } from '../../migrations/migrations';
import { OrphanSweepRepository, StoredObjectRepository } from '../orphan-sweep.repository';
import { DeleteOrphans } from './delete-orphans.use-case';

const END_LEASE = statement('spec_end_lease', `UPDATE orphan_sweep SET leased_until = '-infinity'`);
const LET_HOURS_PASS = statement(
  'spec_let_hours_pass',
  `UPDATE orphan_sweep SET begun_at = begun_at - $1 * interval '1 hour', leased_until = leased_until - $1 * interval '1 hour'`,
);

/** Lists three objects at a time, and records the folders whose pages were requested. */
class SmallPages extends FileObjectStore {
  requested: string[] = [];
  refused = '';

  override listAfter(folder: string, after: string | null) {
    this.requested.push(`${folder} ${after ?? ''}`);
    return super.listAfter(folder, after, 3);
  }

  override async delete(key: string): Promise<void> {
    if (key === this.refused) throw new Error('The disk is read-only.');
    await super.delete(key);
  }
}

describe('delete orphans', () => {
  let folder: string;
  let testDatabase: TestDatabase;
  let keys: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-orphans-'));
    testDatabase = await createTestDatabase('jobs', migrations);
    keys = Array.from({ length: 7 }, () => `inputs/${uuidv7()}.png`);
    for (const key of keys) await putOld(key);
  });
  afterEach(async () => {
    await testDatabase.close();
    await rm(folder, { recursive: true });
  });

  async function putOld(key: string): Promise<void> {
    await new FileObjectStore(folder).put(key, Buffer.from('old'), { mime: 'image/png' });
    const then = new Date(Date.now() - 2 * 60 * 60 * 1_000);
    await utimes(path.join(folder, key), then, then);
  }

  function startReplica(): { store: SmallPages; deleteOrphans: DeleteOrphans; runPass: () => Promise<void> } {
    const { database } = testDatabase;
    const store = new SmallPages(folder);
    const stored = new StoredObjectRepository(database);
    const sweep = new OrphanSweepRepository(database);
    const logger = createLogger('jobs', 'silent');
    const deleteOrphans = new DeleteOrphans(store, stored, sweep, new JobsConfig(), logger);
    const runPass = async (): Promise<void> => {
      while ((await deleteOrphans.execute()).more);
    };
    return { store, deleteOrphans, runPass };
  }

  const left = async (): Promise<string[]> =>
    (await new FileObjectStore(folder).listAfter('inputs', null, 100)).objects.map(({ key }) => key);

  it('runs at one replica at a time', async () => {
    const [one, other] = [startReplica(), startReplica()];
    await one.deleteOrphans.execute();
    expect(await other.deleteOrphans.execute()).toEqual({ more: false });
    expect(other.store.requested).toEqual([]);
    expect(await left()).toEqual(keys.slice(3));
  });

  it('continues at the position where a process died', async () => {
    await startReplica().deleteOrphans.execute();
    await testDatabase.database.execute(END_LEASE);
    const next = startReplica();
    await next.runPass();
    expect(next.store.requested).toEqual([`inputs ${keys[2]}`, `inputs ${keys[5]}`, 'outputs ']);
    expect(await left()).toEqual([]);
  });

  it('does not move the position for a process that has lost the lease', async () => {
    const sweep = new OrphanSweepRepository(testDatabase.database);
    const [slow, quick] = [uuidv7(), uuidv7()];
    await sweep.claim(slow, 0, 'inputs');
    await testDatabase.database.execute(END_LEASE);
    await sweep.claim(quick, 0, 'inputs');
    expect(await sweep.move(slow, null)).toBe(false);
    expect(await sweep.move(quick, { folder: 'outputs', after: null })).toBe(true);
    expect(await sweep.claim(quick, 0, 'inputs')).toEqual({ folder: 'outputs', after: null });
  });

  it('starts a pass once a day', async () => {
    const replicas = [startReplica(), startReplica()];
    for (const { runPass } of replicas) await runPass();
    for (const { store } of replicas) store.requested = [];
    await testDatabase.database.execute(LET_HOURS_PASS, [23]);
    for (const { runPass } of replicas) await runPass();
    expect(replicas.flatMap(({ store }) => store.requested)).toEqual([]);
    await testDatabase.database.execute(LET_HOURS_PASS, [1]);
    for (const { runPass } of replicas) await runPass();
    expect(replicas.flatMap(({ store }) => store.requested)).toEqual(['inputs ', 'outputs ']);
  });

  it('continues behind objects that cannot be deleted', async () => {
    const { store, runPass } = startReplica();
    store.refused = keys[0] ?? '';
    await runPass();
    expect(await left()).toEqual([keys[0]]);
  });
});
