import { createHash } from 'node:crypto';
import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { v7 as uuidv7 } from 'uuid';
import { useJobs } from './jobs-service.fixtures';
import { ReleaseOrphanHolds } from '../src/ending/use-cases/release-orphan-holds.use-case';

const COUNT_JOBS = statement('spec_count_jobs', 'SELECT count(*) AS count FROM job WHERE account_id = $1');

describe('creating a job', () => {
  const jobs = useJobs('api');

  afterEach(() => {
    jobs.fakes.refuseReserve = null;
    jobs.fakes.loseReserveReply = false;
    jobs.fakes.reserveGate = Promise.resolve();
    jobs.fakes.mistakesContent = false;
    jobs.fakes.fundsMicros = Number.MAX_SAFE_INTEGER;
    jobs.fakes.billingDown = false;
    jobs.fakes.model = {};
  });

  const countJobs = async (): Promise<number> =>
    (await jobs.database.database.findOne<{ count: number }>(COUNT_JOBS, [jobs.accountId]))?.count ?? 0;

  it('returns the job with resolved input, and holds its price', async () => {
    const { job, replayed } = await jobs.create({ prompt: 'a "calm" sea 🌊', n: 2 });
    expect(replayed).toBe(false);
    expect(job).toMatchObject({
      status: 'queued',
      kind: 'image.generation',
      model: 'general-image',
      input: { prompt: 'a "calm" sea 🌊', size: '128x100', n: 2, steps: 25, guidance: 5, output_format: 'png' },
      output: null,
      usage: { charged_micros: 40_000, charged_usd: 0.04, gpu_ms: null },
      moderation: { status: 'pending' },
      error: null,
      started_at: null,
      completed_at: null,
    });
    expect(jobs.fakes.holds.get(job.id)).toMatchObject({ amount_micros: 40_000, state: 'held' });
  });

  it('creates one job and one hold for a hundred requests with one key', async () => {
    const holdsBefore = jobs.fakes.holds.size;
    const replies = await Promise.all(Array.from({ length: 100 }, () => jobs.create({ key: 'storm' })));
    expect(new Set(replies.map(({ job }) => job.id)).size).toBe(1);
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(jobs.fakes.holds.size).toBe(holdsBefore + 1);
  });

  it('refuses a key that is bound to another body', async () => {
    await jobs.create({ key: 'bound', body: 'one' });
    await expect(jobs.create({ key: 'bound', body: 'other' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('binds no key and stores no job when billing refuses', async () => {
    const before = await countJobs();
    jobs.fakes.refuseReserve = new ApiError('insufficient_balance', 'Too little.');
    await expect(jobs.create({ key: 'poor', body: 'one' })).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect(await countJobs()).toBe(before);
    jobs.fakes.refuseReserve = null;
    expect(await jobs.create({ key: 'poor', body: 'other' })).toMatchObject({ replayed: false });
  });

  it('deletes the images of a request that it could not store', async () => {
    const { objects } = jobs;
    await objects.put('inputs/spec.png', Buffer.from('any'), { mime: 'image/png' });
    jobs.fakes.loseReserveReply = true;
    const image = {
      sha256: 'a',
      width: 640,
      height: 400,
      mime: 'image/png',
      param: 'image',
      object_key: 'inputs/spec.png',
    };
    const edit = { kind: 'image.edit', account_id: jobs.accountId, input: { prompt: 'p' }, images: [image] } as const;
    await expect(jobs.bus.request(jobsRpc.create, { ...edit, images: [image] })).rejects.toMatchObject({
      code: 'capacity',
    });
    expect(await objects.stat('inputs/spec.png')).toBeNull();
  });

  it('checks the balance before images are screened, by the price of the size, and lets the reservation decide in doubt', async () => {
    const account_id = jobs.accountId;
    jobs.fakes.model = { price: { micros: 20_000, per: 'image', micros_by_size: { '128x128': 5_000 } } };
    jobs.fakes.fundsMicros = 19_999;
    const quote = (size?: string) => {
      const input = { prompt: 'p', model: 'sized-edit', ...(size !== undefined && { size }) };
      return jobs.bus.request(jobsRpc.quote, {
        kind: 'image.edit',
        input,
        image_count: 1,
        account_id,
        api_key_id: uuidv7(),
      });
    };
    const poor = { code: 'insufficient_balance' };
    await expect(quote('256x256')).rejects.toMatchObject(poor);
    expect(await quote('128x128')).toEqual({ price_micros: 5_000 });
    // The size may follow from the image, and may then be the cheap one.
    expect(await quote()).toEqual({ price_micros: 5_000 });

    const image = {
      sha256: 'a',
      width: 640,
      height: 400,
      mime: 'image/png',
      param: 'image',
      object_key: 'inputs/p.png',
    };
    const edit = {
      kind: 'image.edit',
      account_id,
      input: { prompt: 'p', model: 'sized-edit' },
      images: [image],
    } as const;
    const { screenedInputs, reserveCalls } = jobs.fakes;
    const before = screenedInputs.length;
    await expect(jobs.bus.request(jobsRpc.create, { ...edit, images: [image] })).rejects.toMatchObject(poor);
    expect([screenedInputs.length, jobs.fakes.reserveCalls]).toEqual([before, reserveCalls]);

    jobs.fakes.billingDown = true;
    expect(await quote('256x256')).toEqual({ price_micros: 20_000 });
  });

  it('stores no job if the gate has passed other content than its prompts and images', async () => {
    const before = await countJobs();
    const edit = async (sha256: string) => {
      const object_key = `inputs/${uuidv7()}.png`;
      await jobs.objects.put(object_key, Buffer.from('any'), { mime: 'image/png' });
      const image = { sha256, width: 640, height: 400, mime: 'image/png', param: 'image', object_key };
      const input = { prompt: 'brighter', negative_prompt: 'blurry' };
      const request = { kind: 'image.edit', account_id: jobs.accountId, input } as const;
      return jobs.bus.request(jobsRpc.create, { ...request, images: [image] });
    };
    await expect(edit('a'.repeat(64))).rejects.toMatchObject({ code: 'internal_error' });
    jobs.fakes.mistakesContent = true;
    await expect(jobs.create()).rejects.toMatchObject({ code: 'internal_error' });
    expect(await countJobs()).toBe(before);

    jobs.fakes.mistakesContent = false;
    const { job } = await edit(createHash('sha256').update('any').digest('hex'));
    expect(job).toMatchObject({ status: 'queued', moderation: { status: 'pending' } });
    await jobs.cancel(job.id);
  });

  it('resumes under the same job id after the reply of a reservation was lost, so that nothing is held twice', async () => {
    const before = jobs.fakes.holds.size;
    jobs.fakes.loseReserveReply = true;
    await expect(jobs.create({ key: 'lost' })).rejects.toMatchObject({ code: 'capacity' });
    jobs.fakes.loseReserveReply = false;
    const { job } = await jobs.create({ key: 'lost' });
    expect(jobs.fakes.holds.size).toBe(before + 1);
    expect(jobs.holdState(job.id)).toBe('held');
  });

  it('refunds the hold of a request that never stored its job, and prevents a late store', async () => {
    let openGate: () => void = () => undefined;
    jobs.fakes.loseReserveReply = true;
    await expect(jobs.create({ key: 'dead' })).rejects.toMatchObject({ code: 'capacity' });
    const [orphan] = [...jobs.fakes.holds.keys()].slice(-1) as [string];
    jobs.fakes.loseReserveReply = false;
    jobs.fakes.reserveGate = new Promise((resolve) => (openGate = resolve));
    const callsBefore = jobs.fakes.reserveCalls;
    const slow = jobs.create({ key: 'dead' });
    const refused = expect(slow).rejects.toMatchObject({ code: 'capacity' });
    await waitFor(() => jobs.fakes.reserveCalls > callsBefore);
    await jobs.service.get(ReleaseOrphanHolds).execute();
    openGate();
    await refused;
    expect(jobs.holdState(orphan)).toBe('refunded');
    const { job } = await jobs.create({ key: 'dead' });
    expect(job.id).not.toBe(orphan);
    expect(jobs.holdState(job.id)).toBe('held');
  });

  it('refunds a hold behind a whole page of holds that cannot be ended', async () => {
    const { holds, refusedEnds } = jobs.fakes;
    const hold = { account_id: jobs.accountId, amount_micros: 1, state: 'held' as const };
    // The lowest time-ordered ids, so that these holds are the first page.
    const troubled = Array.from(
      { length: 500 },
      (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    );
    const orphan = uuidv7();
    for (const id of [...troubled, orphan]) holds.set(id, { ...hold });
    for (const id of troubled) refusedEnds.add(id);
    await jobs.service.get(ReleaseOrphanHolds).execute();
    expect(jobs.holdState(orphan)).toBe('refunded');
    expect(new Set(troubled.map((id) => jobs.holdState(id)))).toEqual(new Set(['held']));
    refusedEnds.clear();
    await jobs.service.get(ReleaseOrphanHolds).execute();
    expect(new Set(troubled.map((id) => jobs.holdState(id)))).toEqual(new Set(['refunded']));
  });

  it('does not refund the holds of stored jobs', async () => {
    const { job } = await jobs.create();
    await jobs.service.get(ReleaseOrphanHolds).execute();
    expect(jobs.holdState(job.id)).toBe('held');
  });

  it('answers not_found for a job of another account', async () => {
    const { job } = await jobs.create();
    const asOtherAccount = { account_id: 'ffffffff-0000-7000-8000-000000000000', job_id: job.id };
    await expect(jobs.bus.request(jobsRpc.get, asOtherAccount)).rejects.toMatchObject({ code: 'not_found' });
    await expect(jobs.bus.request(jobsRpc.cancel, asOtherAccount)).rejects.toMatchObject({ code: 'not_found' });
  });
});
