import { IMAGE } from '@kinora/compute/fixtures';
import { statement } from '@kinora/database';
import type { ObjectStore } from '@kinora/object-store';
import { waitFor } from '@kinora/testing';
import { useJobs } from './jobs-service.fixtures';
import { DeleteOutputs } from '../src/deletion/use-cases/delete-outputs.use-case';

/** The number of jobs that one sweep claims. */
const TROUBLED = 50;
/** Ended jobs are immutable by trigger, so the spec disables the triggers to let outputs expire. */
const EXPIRE_EARLY = [
  'ALTER TABLE job DISABLE TRIGGER job_ended_is_immutable',
  `UPDATE job SET expires_at = clock_timestamp() - CASE WHEN id = $1 THEN interval '1 second' ELSE interval '1 hour' END
   WHERE expires_at IS NOT NULL`,
  'ALTER TABLE job ENABLE TRIGGER job_ended_is_immutable',
] as const;

describe('a page of jobs whose files cannot be deleted', () => {
  const jobs = useJobs();
  const troubled = new Set<string>();
  /** Lists the files without the injected errors. */
  let listFiles: ObjectStore['list'];

  beforeAll(() => {
    const { objects } = jobs;
    const deleteMany = objects.deleteMany.bind(objects);
    listFiles = objects.list.bind(objects);
    jest.spyOn(objects, 'list').mockImplementation((folder, pageSize) => {
      refuseTroubled([folder]);
      return listFiles(folder, pageSize);
    });
    jest.spyOn(objects, 'deleteMany').mockImplementation((keys) => {
      refuseTroubled(keys);
      return deleteMany(keys);
    });
  });
  afterEach(() => {
    troubled.clear();
    jobs.worker.stateOnSubmit = 'succeeded';
    jobs.fakes.billingDown = false;
  });

  function refuseTroubled(places: readonly string[]): void {
    if (places.some((place) => [...troubled].some((id) => place.includes(id))))
      throw new Error('The disk is read-only.');
  }

  const createMany = async (): Promise<string[]> =>
    (await Promise.all(Array.from({ length: TROUBLED }, () => jobs.create()))).map(({ job }) => job.id);
  const filesOf = async (id: string): Promise<string[]> => {
    const files: string[] = [];
    for await (const page of listFiles(`outputs/${id}`)) files.push(...page.map(({ key }) => key));
    return files;
  };

  it('delays no refund behind it, and deletes their files as soon as that is possible', async () => {
    jobs.worker.stateOnSubmit = 'running';
    const ids = await createMany();
    for (const id of ids) {
      troubled.add(id);
      await jobs.objects.put(`outputs/${id}/${id}-9-9-0.png`, IMAGE, { mime: 'image/png' });
    }
    await Promise.all(ids.map((id) => jobs.cancel(id)));
    await waitFor(() => ids.every((id) => jobs.holdState(id) === 'refunded'));

    const { job } = await jobs.create();
    jobs.fakes.billingDown = true;
    await expect(jobs.cancel(job.id)).rejects.toMatchObject({ code: 'capacity' });
    jobs.fakes.billingDown = false;
    await jobs.whenHold(job.id, 'refunded');

    troubled.clear();
    for (const id of ids) await waitFor(async () => (await filesOf(id)).length === 0);
  });

  it('delays no deletion of outputs that expire later', async () => {
    const ids = await createMany();
    const last = (await jobs.create()).job.id;
    for (const id of [...ids, last]) await jobs.whenEnded(id);
    for (const id of ids) troubled.add(id);
    for (const sql of EXPIRE_EARLY)
      await jobs.database.database.execute(statement('', sql), sql.includes('$1') ? [last] : []);
    await waitFor(async () => {
      await jobs.service.get(DeleteOutputs).deleteExpired();
      return (await filesOf(last)).length === 0;
    });
    expect(await filesOf(ids[0] ?? '')).toHaveLength(1);
  });
});
