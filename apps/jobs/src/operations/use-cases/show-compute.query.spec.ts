import type { ProviderRegistry } from '@kinora/compute';
import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { useDatabase } from '../../../test/spec-database.fixtures';
import { AttemptCountsRepository } from '../job-counts.repository';
import { bucketOf } from '../../progress/estimate';
import { RunTimeRepository } from '../../progress/run-time.repository';
import { InstanceHoursRepository } from '../../scheduling/instance-hours.repository';
import type { ProviderLoad } from '../../routing/provider-load';
import type { Router } from '../../routing/router';
import { insertUsedJob } from '../../../test/used-job.fixtures';
import { ShowCompute } from './show-compute.query';

const OPEN = statement(
  'spec_open_attempt',
  `INSERT INTO attempt (job_id, number, provider, state, parked, upstream_id, next_check_at, checked_at)
   VALUES ($1, 1, $2, $3, $4, $5, now(), '2026-03-01T00:00:00Z')`,
);

/** A load of ten minutes before a run of five, two runs of ten, and a task that was lost after a minute. */
const ADD_RUNS = statement(
  'spec_add_instance_runs',
  `INSERT INTO instance_run (job_id, number, provider, account_id, model, template, arrived_at, started_at, is_load, gpu_ms)
   SELECT gen_random_uuid(), 1, 'gpu-a', $1, 'one', 'one', now(), now() - minutes_ago * interval '1 minute', is_load, ms
     FROM (VALUES (55, true, 900000), (40, false, 300000), (30, false, 300000), (25, false, 600000), (12, false, NULL),
                  (11, false, 0)) AS run (minutes_ago, is_load, ms)`,
);

describe('show compute', () => {
  const database = useDatabase();

  async function open(provider: string, state: string, isParked = false): Promise<string> {
    const job = await insertUsedJob(database, {
      ...{ accountId: uuidv7(), status: 'processing', at: new Date().toISOString() },
    });
    await database.execute(OPEN, [job, provider, state, isParked, job]);
    return job;
  }

  it('shows free places, breakers, run times and attempts whose state is unknown, without asking an instance', async () => {
    await open('gpu-a', 'running');
    await open('gpu-a', 'running', true);
    await open('gpu-a', 'collecting');
    const unknown = await open('gpu-a', 'unknown');
    const runTimes = new RunTimeRepository(database);
    const count = { model: 'one', kind: 'image.generation', size_class: 1, provider: 'gpu-a' };
    await runTimes.add([
      { ...count, bucket: bucketOf(1_000), jobs: 90 },
      { ...count, bucket: bucketOf(9_000), jobs: 10 },
    ]);
    await database.execute(ADD_RUNS, [uuidv7()]);
    const providers = ['gpu-a', 'gpu-b'].map((id) => ({ provider: { id }, type: 'comfyui' }));
    const compute = new ShowCompute(
      { listInstances: () => providers, listLoading: () => ['gpu-a'] } as unknown as ProviderRegistry,
      { slots: () => ({ common: 4 }) } as unknown as ProviderLoad,
      { isBreakerOpen: (id: string) => id === 'gpu-b' } as unknown as Router,
      new AttemptCountsRepository(database),
      runTimes,
      new InstanceHoursRepository(database),
    );
    const state = await compute.execute();
    expect(state.instances).toEqual([
      {
        ...{ id: 'gpu-a', type: 'comfyui', slots: 4, used_slots: 2, free_slots: 2, is_breaker_open: false },
        ...{ unknown_attempts: 1, run_times: [expect.objectContaining({ model: 'one', jobs: 100 })] },
        last_hour: { running_ms: 1_500_000, loading_ms: 600_000, idle_ms: 1_440_000, unknown_ms: 60_000, loads: 1 },
      },
      {
        ...{ id: 'gpu-b', type: 'comfyui', slots: 4, used_slots: 0, free_slots: 4, is_breaker_open: true },
        ...{ unknown_attempts: 0, run_times: [] },
      },
    ]);
    const [times] = state.instances[0]?.run_times ?? [];
    // Buckets are a tenth wide.
    expect(Math.abs((times?.p50_ms ?? 0) - 1_000)).toBeLessThan(100);
    expect(Math.abs((times?.p95_ms ?? 0) - 9_000)).toBeLessThan(900);
    expect(state.unknown_attempts).toEqual([
      { job_id: unknown, number: 1, provider: 'gpu-a', checked_at: '2026-03-01T00:00:00.000Z' },
    ]);
  });
});
