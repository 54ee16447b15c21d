import { Injectable } from '@nestjs/common';
import { Database, GaugeSampler, type Reading, statement } from '@kinora/database';
import {
  jobsInFlight,
  oldestQueuedJobAge,
  oldestUnsettledJobAge,
  providerTasks,
  queueTimeoutUsed,
  unsettledJobs,
} from '../jobs.metrics';

const EVERY_MS = 15_000;

/** A bound for the statement. The jobs with the next deadlines include, with few exceptions, those that have waited longest. */
const COUNT_IN_FLIGHT = statement(
  'job_count_in_flight',
  `SELECT model, status, count(*) AS jobs,
          extract(epoch FROM clock_timestamp() - min(created_at))::double precision AS oldest_age,
          max(extract(epoch FROM clock_timestamp() - created_at)
              / nullif(extract(epoch FROM deadline_at - created_at), 0))::double precision AS timeout_used
     FROM (SELECT model, status, created_at, deadline_at FROM job
            WHERE deadline_at IS NOT NULL ORDER BY deadline_at LIMIT 20000) AS in_flight
    GROUP BY model, status`,
);

const COUNT_UNSETTLED = statement(
  'job_count_unsettled',
  `SELECT count(*) AS jobs,
          coalesce(extract(epoch FROM clock_timestamp() - min(completed_at)), 0)::double precision AS oldest_age
     FROM (SELECT completed_at FROM job
            WHERE completed_at IS NOT NULL AND settled_at IS NULL AND hold_ended_at IS NULL
            ORDER BY coalesce(hold_retry_at, completed_at) LIMIT 10000) AS unsettled`,
);

const COUNT_TASKS = statement(
  'attempt_count_tasks',
  `SELECT provider, count(*) AS tasks
     FROM (SELECT provider FROM attempt WHERE state <> 'ended' ORDER BY provider, next_check_at LIMIT 20000) AS open
    GROUP BY provider`,
);

interface ModelQueueRow {
  model: string;
  status: 'queued' | 'processing';
  jobs: number;
  oldest_age: number;
  /** Of a queued job, whose deadline is the end of its queue timeout. */
  timeout_used: number | null;
}

/** Publishes gauges about unfinished and unsettled jobs. */
@Injectable()
export class JobGauges {
  constructor(
    private readonly database: Database,
    sampler: GaugeSampler,
  ) {
    const gauges = [
      jobsInFlight,
      oldestQueuedJobAge,
      queueTimeoutUsed,
      unsettledJobs,
      oldestUnsettledJobAge,
      providerTasks,
    ];
    sampler.add({ name: 'jobs', gauges, everyMs: EVERY_MS, read: () => this.read() });
  }

  private async read(): Promise<Reading[]> {
    const modelQueues = await this.database.query<ModelQueueRow>(COUNT_IN_FLIGHT);
    const unsettled = await this.database.findOne<{ jobs: number; oldest_age: number }>(COUNT_UNSETTLED);
    const tasks = await this.database.query<{ provider: string; tasks: number }>(COUNT_TASKS);
    return [
      ...modelQueues.map(({ model, status, jobs }) => ({
        gauge: jobsInFlight,
        labels: { model, status },
        value: jobs,
      })),
      ...modelQueues
        .filter(({ status }) => status === 'queued')
        .flatMap(({ model, oldest_age, timeout_used }) => [
          { gauge: oldestQueuedJobAge, labels: { model }, value: oldest_age },
          { gauge: queueTimeoutUsed, labels: { model }, value: timeout_used ?? 0 },
        ]),
      { gauge: unsettledJobs, value: unsettled?.jobs ?? 0 },
      { gauge: oldestUnsettledJobAge, value: unsettled?.oldest_age ?? 0 },
      ...tasks.map(({ provider, tasks: value }) => ({ gauge: providerTasks, labels: { provider }, value })),
    ];
  }
}
