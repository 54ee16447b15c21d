import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { RANDOM_ID_SQL } from '@kinora/testing';
import { useDatabase } from '../../test/spec-database.fixtures';
import { insertJob, newJob } from '../../test/new-job.fixtures';
import { JobInsertRepository } from '../job/job-insert.repository';
import { JobRepository } from '../job/job.repository';
import type { NewJob } from '../job/job.entity';
import { AttemptRepository } from '../attempt/attempt.repository';
import { QueueHeadsRepository } from '../scheduling/queue-heads.repository';
import { JobClaimsRepository, NEXT_IN_MODEL_QUEUE } from './job-claims.repository';

const PRICE_MICROS = 20_000;
/** A long queue of one account. */
const FILL = statement(
  'spec_fill_lane',
  `INSERT INTO job (id, account_id, model, price_micros, turn, kind, input, images, provider, plan, input_decision_id,
                    retention_days, deadline_at)
   SELECT ${RANDOM_ID_SQL}, $1, $2, ${PRICE_MICROS}, n * ${PRICE_MICROS}, 'image.generation', '{}', '[]', 'sandbox', '{}', $1, 7,
          clock_timestamp() + interval '1 hour' FROM generate_series(0, 9999) AS n`,
);

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe('the fair queue of a model', () => {
  const database = useDatabase();

  const jobs = new JobInsertRepository(database);
  const claims = new JobClaimsRepository(database);

  async function insert(parts: Pick<NewJob, 'account_id' | 'model'> & { price_micros?: number }): Promise<string> {
    const job = newJob({ price_micros: PRICE_MICROS, ...parts });
    const row = await insertJob(jobs, job);
    // The row that an insert returns is built in memory, so it is compared with the stored one here.
    expect(row).toEqual(await new JobRepository(database).find(job.id));
    expect(row).not.toBeNull();
    return job.id;
  }

  it('stores the held amount as the price, although the catalog has another one by now', async () => {
    const job = newJob();
    const held = { amount_micros: job.price_micros + 1, retention_days: 7 };
    const row = await insertJob(jobs, job, { hold: held });
    expect(row).toMatchObject({ price_micros: held.amount_micros });
    expect(row).toEqual(await new JobRepository(database).find(job.id));
  });

  const provider = { id: 'sandbox' };
  const anywhere = { provider, slots: { common: 10_000, newcomers: 0 } };

  async function take(model: string, count: number): Promise<string[]> {
    const claimed = await claims.open(model, count, () => Promise.resolve(anywhere));
    return claimed.map(({ job }) => job.account_id);
  }

  it('serves an account with one job beside one with ten thousand', async () => {
    const [many, one] = [uuidv7(), uuidv7()];
    await database.execute(FILL, [many, 'crowded']);
    await take('crowded', 500);
    await insert({ account_id: one, model: 'crowded' });
    expect((await take('crowded', 2)).sort()).toEqual([many, one].sort());
  });

  it('shares by price: a job at four times the price counts as four jobs', async () => {
    const [dear, cheap] = [uuidv7(), uuidv7()];
    for (let number = 0; number < 10; number++)
      await insert({ account_id: dear, model: 'priced', price_micros: 4 * PRICE_MICROS });
    for (let number = 0; number < 20; number++) await insert({ account_id: cheap, model: 'priced' });
    const taken = await take('priced', 20);
    expect(taken.filter((account) => account === dear)).toHaveLength(4);
  });

  it('shares free jobs by their number', async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    for (let number = 0; number < 10; number++) await insert({ account_id: first, model: 'free', price_micros: 0 });
    for (let number = 0; number < 2; number++) await insert({ account_id: second, model: 'free', price_micros: 0 });
    expect((await take('free', 4)).filter((account) => account === second)).toHaveLength(2);
  });

  it('does not rank new jobs far ahead because one job is requeued repeatedly', async () => {
    const [steady, stuck, late] = [uuidv7(), uuidv7(), uuidv7()];
    await database.execute(FILL, [steady, 'repeated']);
    await insert({ account_id: stuck, model: 'repeated' });
    const [first] = (await claims.open('repeated', 2, () => Promise.resolve(anywhere))).filter(
      ({ job }) => job.account_id === stuck,
    );
    await take('repeated', 100);
    if (!first) throw new Error('The job was not claimed.');
    const reason = { outcome: 'refused', problem: 'capacity', delayMs: 0, gpuMs: null, reason: null } as const;
    await new AttemptRepository(database).requeue(first.attempt, reason);
    for (let number = 0; number < 4; number++) await insert({ account_id: late, model: 'repeated' });
    const taken = await take('repeated', 5);
    expect(taken.filter((account) => account === late).length).toBeLessThanOrEqual(3);
    expect(taken).toContain(steady);
  });

  it('loses no job of an account that creates many at once', async () => {
    const account_id = uuidv7();
    const ids = await Promise.all(Array.from({ length: 40 }, () => insert({ account_id, model: 'rushed' })));
    const claimed = await claims.open('rushed', 40, () => Promise.resolve(anywhere));
    expect(new Set(claimed.map(({ job }) => job.id))).toEqual(new Set(ids));
    expect(await take('rushed', 1)).toEqual([]);
  });

  it('claims a job directly if it is the head of its queue, and otherwise leaves it in the queue', async () => {
    const account_id = uuidv7();
    const [first, second] = [
      await insert({ account_id, model: 'direct' }),
      await insert({ account_id, model: 'direct' }),
    ];
    const openIfNext = (id: string) => claims.openIfNext({ id, model: 'direct' }, provider.id);
    expect(await openIfNext(second)).toBeNull();
    const opened = await Promise.all([openIfNext(first), openIfNext(first)]);
    expect(opened.filter((attempt) => attempt !== null)).toMatchObject([
      { job_id: first, number: 1, state: 'submitting', upstream_id: `${first}-1` },
    ]);
    expect(await openIfNext(second)).toMatchObject({ job_id: second });
    expect(await take('direct', 2)).toEqual([]);
  });

  it('gives each job to one of many concurrent claims', async () => {
    const account_id = uuidv7();
    for (let number = 0; number < 30; number++) await insert({ account_id, model: 'contended' });
    const taken = await Promise.all(
      Array.from({ length: 6 }, () => claims.open('contended', 10, () => Promise.resolve(anywhere))),
    );
    const ids = taken.flat().map(({ job }) => job.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(30);
  });

  it('fills an instance up to its limit under concurrent claims, and leaves the rest in the queue', async () => {
    const account_id = uuidv7();
    for (let number = 0; number < 12; number++) await insert({ account_id, model: 'bounded' });
    const choice = { provider: { id: 'gpu' }, slots: { common: 3, newcomers: 0 } };
    let released = 0;
    const fill = () => claims.open('bounded', 3, () => Promise.resolve(choice), { release: () => (released += 1) });
    const taken = await Promise.all(Array.from({ length: 4 }, fill));
    expect(taken.flat()).toHaveLength(3);
    expect(released).toBeGreaterThan(0);
    expect(await take('bounded', 12)).toHaveLength(9);
  });

  it('releases places if the claim of the jobs fails', async () => {
    for (let number = 0; number < 2; number++) await insert({ account_id: uuidv7(), model: 'interrupted' });
    const choice = { provider: { id: 'interrupted' }, slots: { common: 3, newcomers: 0 } };
    const released: unknown[] = [];
    const choices = [choice, new Error('The database is not reachable.')];
    const choose = async () => {
      const next = choices.shift();
      if (next instanceof Error) throw next;
      return next ?? 'keep';
    };
    const claim = claims.open('interrupted', 2, choose, { release: (given) => released.push(given) });
    await expect(claim).rejects.toThrow();
    expect(released).toEqual([choice]);
    expect(await take('interrupted', 2)).toHaveLength(2);
  });

  it('serves the jobs behind one that cannot be sent anywhere now', async () => {
    const [stuck, free] = [uuidv7(), uuidv7()];
    await insert({ account_id: stuck, model: 'routed' });
    await insert({ account_id: free, model: 'routed' });
    const choose = ({ job }: { job: { account_id: string } }) =>
      Promise.resolve(job.account_id === stuck ? ('postpone' as const) : anywhere);
    expect(await claims.open('routed', 1, choose)).toEqual([]);
    expect((await claims.open('routed', 1, choose)).map(({ job }) => job.account_id)).toEqual([free]);
  });

  it('lists the models with waiting jobs', async () => {
    await insert({ account_id: uuidv7(), model: 'listed' });
    const modelQueues = async () => (await new QueueHeadsRepository(database).list()).map(({ model }) => model);
    expect(await modelQueues()).toEqual(expect.arrayContaining(['crowded', 'listed']));
    await take('listed', 1);
    expect(await modelQueues()).not.toContain('listed');
  });

  it('costs the same for ten thousand waiting jobs as for one', async () => {
    await database.execute(FILL, [uuidv7(), 'long']);
    const explained = await database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      statement('', `EXPLAIN (ANALYZE, FORMAT JSON) ${NEXT_IN_MODEL_QUEUE.text}`),
      ['long', 16],
    );
    const nodes = explained.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan));
    expect(nodes.map((node) => node['Index Name'])).toContain('job_first_by_turn');
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
    expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(16);
  });
});
