import { withinMs } from '@kinora/bus';
import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { abandonedCreationsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { v7 as uuidv7 } from 'uuid';
import { JobInsertRepository } from '../src/job/job-insert.repository';
import { useJobs } from './jobs-service.fixtures';

const FIND_JOB = statement('spec_find_job', 'SELECT status FROM job WHERE id = $1');

describe('a creation that its gateway has given up', () => {
  const jobs = useJobs('api');
  let job_id: string;

  beforeEach(() => {
    job_id = uuidv7();
    jobs.fakes.reserveGate = Promise.resolve();
    jobs.fakes.loseReserveReply = false;
    jobs.fakes.refusedEnds.clear();
  });

  const create = (key?: string, id = job_id): Promise<CreateJobReply> =>
    jobs.bus.request(jobsRpc.create, {
      job_id: id,
      kind: 'image.generation',
      account_id: jobs.accountId,
      input: { prompt: 'a calm sea' },
      ...(key !== undefined && { idempotency: { key, route: 'POST /images/generations', body_sha256: 'same' } }),
    });
  const abandon = async (parts: { account_id?: string; has_key?: true } = {}): Promise<boolean> => {
    const creations = [{ account_id: jobs.accountId, job_id, ...parts }];
    return (await jobs.bus.request(abandonedCreationsRpc.abandon, { creations })).settled.includes(job_id);
  };
  const statusOf = async (id: string): Promise<string | undefined> =>
    (await jobs.database.database.findOne<{ status: string }>(FIND_JOB, [id]))?.status;
  const CAPACITY = { code: 'capacity' };
  /** Such a creation is decided at its deadline. */
  const createInTime = (key: string, id?: string) => withinMs(2_000, () => create(key, id));

  it('creates no job and holds nothing, if its message comes afterwards', async () => {
    expect(await abandon()).toBe(true);
    await expect(create()).rejects.toMatchObject(CAPACITY);
    expect(await statusOf(job_id)).toBeUndefined();
    expect(await abandon()).toBe(true);
    expect(jobs.holdState(job_id)).not.toBe('held');
  });

  it('creates no job if it is under way, and its hold is refunded', async () => {
    let openGate: () => void = () => undefined;
    jobs.fakes.reserveGate = new Promise((resolve) => (openGate = resolve));
    const calls = jobs.fakes.reserveCalls;
    const refused = expect(create()).rejects.toMatchObject(CAPACITY);
    await waitFor(() => jobs.fakes.reserveCalls > calls);
    expect(await abandon()).toBe(true);
    openGate();
    await refused;
    expect(await statusOf(job_id)).toBeUndefined();
  });

  it('has its job canceled and refunded, if the job was stored first', async () => {
    expect((await create()).job.id).toBe(job_id);
    jobs.fakes.refusedEnds.add(job_id);
    expect(await abandon()).toBe(false);
    jobs.fakes.refusedEnds.clear();
    expect([await abandon(), await abandon()]).toEqual([true, true]);
    expect([await statusOf(job_id), jobs.holdState(job_id)]).toEqual(['canceled', 'refunded']);
  });

  it('leaves the jobs of other accounts alone', async () => {
    await create();
    await abandon({ account_id: uuidv7() });
    expect([await statusOf(job_id), jobs.holdState(job_id)]).toEqual(['queued', 'held']);
  });

  it('has no job when it fails, although the connection was lost after its job was stored', async () => {
    const repository = jobs.service.get(JobInsertRepository);
    const insert = repository.insert.bind(repository);
    const lost = jest.spyOn(repository, 'insert').mockImplementation(async (paid) => {
      await insert(paid);
      throw ApiError.unavailable('The database');
    });
    await expect(create()).rejects.toMatchObject(CAPACITY);
    lost.mockRestore();
    expect([await statusOf(job_id), jobs.holdState(job_id)]).toEqual(['canceled', 'refunded']);
  });

  describe('with an Idempotency-Key', () => {
    it('creates no job, and a repeat with the key creates one', async () => {
      expect(await abandon({ has_key: true })).toBe(true);
      await expect(createInTime('late')).rejects.toMatchObject(CAPACITY);
      expect(await statusOf(job_id)).toBeUndefined();
      const repeat = await create('late', uuidv7());
      expect(repeat).toMatchObject({ replayed: false, job: { status: 'queued' } });
      expect(jobs.holdState(repeat.job.id)).toBe('held');
    });

    it('does not resume the job of an earlier request, either', async () => {
      jobs.fakes.loseReserveReply = true;
      const earlier = uuidv7();
      await expect(createInTime('resumed', earlier)).rejects.toMatchObject(CAPACITY);
      jobs.fakes.loseReserveReply = false;
      await abandon({ has_key: true });
      await expect(createInTime('resumed')).rejects.toMatchObject(CAPACITY);
      expect(await statusOf(earlier)).toBeUndefined();
    });

    it('leaves a stored job to a repeat', async () => {
      await create('stored');
      expect(await abandon({ has_key: true })).toBe(true);
      expect(await create('stored', uuidv7())).toMatchObject({ replayed: true, job: { id: job_id, status: 'queued' } });
    });
  });
});
