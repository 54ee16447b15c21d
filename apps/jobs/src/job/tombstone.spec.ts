import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../test/spec-database.fixtures';
import { JobRepository } from './job.repository';

const BURY = statement(
  'spec_bury',
  `INSERT INTO job_tombstone (job_id, created_at) VALUES ($1, now() - $2 * interval '1 day')`,
);
const LIST = statement('spec_list_tombstones', 'SELECT job_id FROM job_tombstone');

describe('tombstones', () => {
  const database = useDatabase();

  it('are deleted only after no create can resume their id', async () => {
    const [young, old] = [uuidv7(), uuidv7()];
    await database.execute(BURY, [young, 6]);
    await database.execute(BURY, [old, 8]);
    const tombstones = new JobRepository(database);

    expect(await tombstones.pruneTombstones()).toBe(1);

    expect(await database.query(LIST)).toEqual([{ job_id: young }]);
    expect(await tombstones.pruneTombstones()).toBe(0);
  });
});
