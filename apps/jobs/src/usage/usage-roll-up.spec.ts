import { statement } from '@kinora/database';
import type { PassedDecisionId } from '@kinora/contracts/moderation/moderation.rpc';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import type { Usage, UsageGrouping } from '@kinora/contracts/jobs/usage';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../test/spec-database.fixtures';
import { JobRepository } from '../job/job.repository';
import type { JobEnd } from '../job/job-status';
import { GetUsage } from './use-cases/get-usage.query';
import { auditUsage } from './usage-audit';
import { insertUsedJob } from '../../test/used-job.fixtures';
import { UsageRepository } from './usage.repository';

const EPOCH_MS = Date.parse('2026-03-01T22:00:00Z');
const HOUR_MS = 3_600_000;
/** Times close together at midnight, at minutes and at days, so that periods often start or end between jobs. */
const instants = fc
  .oneof(
    fc.integer({ min: 0, max: 240_000 }),
    fc.integer({ min: 0, max: 60 }).map((minutes) => 7_100_000 + minutes * 60_000),
    fc.integer({ min: 0, max: 80 * HOUR_MS }),
  )
  .map((afterMs) => EPOCH_MS + afterMs);

interface HistoryStep {
  createdAtMs: number;
  model: string;
  priceMicros: number;
  gpuMs: number | null;
  /** The final or last status of the job. */
  status: JobStatus;
  /** Whether ended jobs are rolled up after this step. */
  rollsUp: boolean;
}

const step: fc.Arbitrary<HistoryStep> = fc.record({
  createdAtMs: instants,
  model: fc.constantFrom('general-image', 'fast-image', 'image-edit'),
  priceMicros: fc.integer({ min: 0, max: 1_000_000 }),
  gpuMs: fc.option(fc.integer({ min: 0, max: 9_000 })),
  status: fc.constantFrom('queued', 'processing', 'succeeded', 'failed', 'canceled'),
  rollsUp: fc.boolean(),
});

/** The same sums, counted job by job. */
function countByHand(history: HistoryStep[], from: number, to: number, groupBy: UsageGrouping): Record<string, object> {
  const groups: Record<
    string,
    {
      jobs: number;
      succeeded: number;
      failed: number;
      canceled: number;
      in_flight: number;
      charged_micros: number;
      gpu_ms: number;
    }
  > = {};
  for (const { createdAtMs, model, priceMicros, gpuMs, status } of history) {
    if (createdAtMs < from || createdAtMs >= to) continue;
    const key = groupBy === 'model' ? model : new Date(createdAtMs).toISOString().slice(0, 10);
    const group = (groups[key] ??= {
      jobs: 0,
      succeeded: 0,
      failed: 0,
      canceled: 0,
      in_flight: 0,
      charged_micros: 0,
      gpu_ms: 0,
    });
    group.jobs += 1;
    group[status === 'queued' || status === 'processing' ? 'in_flight' : status] += 1;
    if (status !== 'failed' && status !== 'canceled') group.charged_micros += priceMicros;
    if (status === 'succeeded' || status === 'failed') group.gpu_ms += gpuMs ?? 0;
  }
  return groups;
}

function toGroups({ data }: Usage): Record<string, object> {
  return Object.fromEntries(
    data.map(({ charged_usd: _usd, ...group }): [string, object] => {
      if (!('day' in group)) {
        const { model, ...sums } = group;
        return [model, sums];
      }
      const { day, ...sums } = group;
      return [day, sums];
    }),
  );
}

function toEnd({ status, gpuMs }: HistoryStep): JobEnd | null {
  if (status === 'succeeded')
    return {
      status,
      output: [],
      output_decision_id: uuidv7() as PassedDecisionId,
      passed_output_sha256: [],
      gpu_ms: gpuMs,
    };
  if (status === 'failed') return { status, error_code: 'provider_error', gpu_ms: gpuMs };
  return status === 'canceled' ? { status } : null;
}

describe('the roll-up of usage', () => {
  const database = useDatabase();

  const jobs = new JobRepository(database);
  const usage = new UsageRepository(database);
  const getUsage = new GetUsage(usage);

  const live = async (accountId: string, history: HistoryStep[]): Promise<void> => {
    for (const part of history) {
      const { createdAtMs, model, priceMicros, status } = part;
      const end = toEnd(part);
      const at = new Date(createdAtMs).toISOString();
      const id = await insertUsedJob(database, {
        accountId,
        at,
        model,
        priceMicros,
        status: end ? 'queued' : status,
      });
      if (end) await jobs.end(database, id, end);
      if (part.rollsUp) await usage.rollUp();
    }
  };

  it('equals the sums over the single jobs, for any history and any period', async () => {
    const history = fc.array(step, { minLength: 1, maxLength: 25 });
    const period = fc
      .tuple(instants, instants)
      .map(([one, other]) => [Math.min(one, other), Math.max(one, other) + 1] as const);
    await fc.assert(
      fc.asyncProperty(history, fc.array(period, { minLength: 1, maxLength: 5 }), async (steps, periods) => {
        const account_id = uuidv7();
        await live(account_id, steps);
        for (const [from, to] of periods) {
          for (const group_by of ['day', 'model'] as const) {
            const params = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
            const received = await getUsage.execute({ account_id, group_by, ...params });
            expect(toGroups(received)).toEqual(countByHand(steps, from, to, group_by));
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(await database.transaction((transaction) => auditUsage(transaction, new Date(0)))).toEqual([]);
  });

  it('counts each job exactly once at every moment, while jobs end and two processes roll them up', async () => {
    const accountId = uuidv7();
    const at = new Date(EPOCH_MS).toISOString();
    const ids = await Promise.all(
      Array.from({ length: 400 }, () =>
        insertUsedJob(database, { accountId, at, status: 'processing', priceMicros: 1 }),
      ),
    );
    const params = { account_id: accountId, group_by: 'day', from: '2026-03-01', to: '2026-03-03' } as const;
    let busy = true;
    const addUp = async (): Promise<void> => {
      while (busy) await usage.rollUp();
    };
    const readSums = async (): Promise<void> => {
      while (busy)
        expect((await getUsage.execute(params)).total).toMatchObject({ jobs: 400, failed: 0, charged_micros: 400 });
    };
    const end: JobEnd = {
      status: 'succeeded',
      output: [],
      output_decision_id: accountId as PassedDecisionId,
      passed_output_sha256: [],
      gpu_ms: 2,
    };
    const ending = async (): Promise<void> => {
      for (let id = ids.pop(); id; id = ids.pop()) await jobs.end(database, id, end);
    };
    const background = [addUp(), addUp(), readSums()];
    await Promise.all([ending(), ending(), ending()]);
    busy = false;
    await Promise.all(background);
    while ((await usage.rollUp()) > 0);
    expect((await getUsage.execute(params)).total).toMatchObject({
      jobs: 400,
      succeeded: 400,
      in_flight: 0,
      gpu_ms: 800,
    });
    expect(await database.transaction((transaction) => auditUsage(transaction, new Date(0)))).toEqual([]);
  });

  it.each([
    ['usage_minute_equals_jobs', 'DELETE FROM usage_minute'],
    ['usage_hour_equals_jobs', 'UPDATE usage_hour SET succeeded = succeeded + 1'],
    ['usage_day_equals_jobs', 'DELETE FROM usage_day'],
    [
      'pending_usage_is_of_ended_jobs',
      'INSERT INTO usage_pending SELECT account_id, gen_random_uuid() FROM usage_day LIMIT 1',
    ],
  ])('is audited for %s', async (rule, sql) => {
    const undo = new Error('undo');
    const found: string[] = [];
    const tampering = database.transaction(async (transaction) => {
      await transaction.execute(statement('', sql));
      found.push(...(await auditUsage(transaction, new Date(0))).map((violation) => violation.rule));
      throw undo;
    });
    await expect(tampering).rejects.toBe(undo);
    expect([...new Set(found)]).toEqual([rule]);
  });

  it('groups by columns that never change', async () => {
    await expect(database.execute(statement('', `UPDATE job SET model = 'another'`))).rejects.toThrow(
      'is counted by what it was',
    );
    await expect(
      database.execute(statement('', 'UPDATE job SET gpu_ms = 1 WHERE completed_at IS NOT NULL')),
    ).rejects.toThrow('is counted by what it was');
  });
});
