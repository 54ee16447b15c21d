import { type MeasuredDatabase, type TestDatabase, fillTable, numberedId, numberedIdSql } from '@kinora/testing';
import { ScheduledClaimsRepository } from '../../src/dispatch/scheduled-claims.repository';
import { InstanceHoursRepository } from '../../src/scheduling/instance-hours.repository';
import { InstanceRunRepository, INSTANCE_RUN_PAGE } from '../../src/scheduling/instance-run.repository';
import { DEEP_MODEL } from './million-jobs.fixtures';

/** Ids of a past day, so that all of them are to be pruned. */
const RUNS = 100_000;
const NOTHING_WAITS = { bounds: { loads: 20, ms: 600_000 }, models: [], places: new Map<string, number>(), costs: [] };
const INSTANCES = ['gpu-0', 'gpu-1', 'gpu-2', 'gpu-3'];

/** What four instances ran, for six models, of which one in a hundred had to be loaded. */
export async function fillRuns({ adminUrl }: TestDatabase): Promise<void> {
  await fillTable(adminUrl, 'jobs.instance_run', [
    `INSERT INTO instance_run (job_id, number, provider, account_id, model, template, arrived_at, started_at, is_load, gpu_ms)
     SELECT ${numberedIdSql('run')}, 1, 'gpu-' || run % 4, ${numberedIdSql('run % 50')}, 'model-' || run % 6, 'template-' || run % 6,
            now() - (${RUNS} - run) * interval '1 second', now() - (${RUNS} - run) * interval '1 second', run % 100 = 0, 1000
       FROM generate_series(1, ${RUNS}) AS run`,
  ]);
}

export function worksOfRuns(database: MeasuredDatabase): (() => Promise<unknown>)[] {
  const runs = new InstanceRunRepository(database);
  const key = { job_id: numberedId(RUNS + 1), number: 1 };
  const run = {
    ...key,
    provider: 'gpu-0',
    model: DEEP_MODEL,
    template: 'template-0',
    arrived_at: new Date(),
    is_load: false,
  };
  return [
    () => database.transaction((transaction) => runs.add(transaction, { ...run, account_id: numberedId(1) })),
    async () => expect(await runs.list(database, INSTANCES)).toHaveLength(4 * 128),
    async () => expect(await runs.listWaiting(database, [DEEP_MODEL])).toHaveLength(200),
    async () => expect(await runs.measure(INSTANCES)).not.toHaveLength(0),
    () =>
      new ScheduledClaimsRepository(database, runs).open(
        NOTHING_WAITS,
        async () => 'keep',
        () => undefined,
      ),
    () => runs.end({ ...key, fence: 1 }, 1_000),
    async () => expect(await new InstanceHoursRepository(database).list(INSTANCES)).not.toHaveLength(0),
    () => runs.forget('gpu-0'),
    async () => expect(await runs.prune()).toBe(INSTANCE_RUN_PAGE),
  ];
}
