import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ManualClock, waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { useJobs } from './jobs-service.fixtures';

describe('the audit of jobs and their holds', () => {
  const clock = new ManualClock();
  const jobs = useJobs('api,runner', {}, [], {}, clock);

  const request = (side: 'jobs' | 'holds', after_job_id?: string) =>
    jobs.bus.request(jobsRpc.verifyHolds, { side, ...(after_job_id !== undefined && { after_job_id }) });
  /** Differences are checked again after pauses, which end at once. */
  const answerOf = async (report: ReturnType<typeof request>) => {
    let isOver = false;
    void report.finally(() => (isOver = true));
    await waitFor(() => {
      clock.advance(1_000);
      return isOver;
    });
    return await report;
  };
  const verify = (side: 'jobs' | 'holds', after_job_id?: string) => answerOf(request(side, after_job_id));
  const rulesBroken = async (side: 'jobs' | 'holds') => (await verify(side)).violations.map(({ rule }) => rule);
  const succeeded = async (): Promise<string> => {
    const { job } = await jobs.create();
    await jobs.whenEnded(job.id);
    await jobs.whenHold(job.id, 'captured');
    return job.id;
  };

  it('finds nothing while jobs begin and end', async () => {
    const creating = Array.from({ length: 20 }, () => jobs.create());
    const whileRunning = [request('jobs'), request('holds')];
    const created = await Promise.all(creating);
    await Promise.all(created.map(({ job }) => jobs.whenHold(job.id, 'captured')));
    const reports = await Promise.all(whileRunning.map(answerOf));
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    expect(await verify('jobs')).toMatchObject({ checked: 20, violations: [], next_job_id: null });
    expect(
      await verify(
        'jobs',
        created
          .map(({ job }) => job.id)
          .sort()
          .at(-1),
      ),
    ).toMatchObject({ checked: 0 });
  });

  it('reports a succeeded job whose hold is refunded or missing', async () => {
    const [refunded, lost] = [await succeeded(), await succeeded()];
    const hold = jobs.fakes.holds.get(refunded);
    if (!hold) throw new Error('the job has no hold');
    hold.state = 'refunded';
    const taken = jobs.fakes.holds.get(lost);
    jobs.fakes.holds.delete(lost);
    expect((await rulesBroken('jobs')).sort()).toEqual(['hold_ends_as_its_job', 'job_has_its_hold']);
    hold.state = 'captured';
    if (taken) jobs.fakes.holds.set(lost, taken);
    expect(await rulesBroken('jobs')).toEqual([]);
  });

  it('reports a charge for a job that does not exist', async () => {
    const unowned = uuidv7();
    jobs.fakes.holds.set(unowned, { account_id: jobs.accountId, amount_micros: 5, state: 'captured' });
    const detail = `5 micros are captured for job ${unowned}, which does not exist`;
    expect((await verify('holds')).violations).toEqual([
      { rule: 'hold_has_its_job', account_id: jobs.accountId, detail },
    ]);
    jobs.fakes.holds.delete(unowned);
  });
});
