import { Injectable } from '@nestjs/common';
import { ProviderRegistry } from '@kinora/compute';
import { GaugeSampler, type Reading } from '@kinora/database';
import { InstanceHoursRepository } from '../scheduling/instance-hours.repository';
import { JobCountsRepository } from './job-counts.repository';
import {
  jobsInFlight,
  oldestQueuedJobAge,
  oldestUnsettledJobAge,
  providerHour,
  providerTasks,
  queueTimeoutUsed,
  unsettledJobs,
} from '../jobs.metrics';

const EVERY_MS = 15_000;

/** Publishes gauges about unfinished and unsettled jobs. */
@Injectable()
export class JobGauges {
  constructor(
    private readonly counts: JobCountsRepository,
    private readonly providers: ProviderRegistry,
    private readonly hours: InstanceHoursRepository,
    sampler: GaugeSampler,
  ) {
    const gauges = [
      jobsInFlight,
      oldestQueuedJobAge,
      queueTimeoutUsed,
      unsettledJobs,
      oldestUnsettledJobAge,
      providerHour,
      providerTasks,
    ];
    sampler.add({ name: 'jobs', gauges, everyMs: EVERY_MS, read: () => this.read() });
  }

  private async read(): Promise<Reading[]> {
    const modelQueues = await this.counts.countInFlight();
    const unsettled = await this.counts.countUnsettled();
    const tasks = await this.counts.countTasks();
    const hours = await this.hours.list(this.providers.listLoading());
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
      { gauge: unsettledJobs, value: unsettled.jobs },
      { gauge: oldestUnsettledJobAge, value: unsettled.oldest_age },
      ...hours.flatMap(({ provider, running_ms, loading_ms, idle_ms, unknown_ms }) =>
        Object.entries({ running: running_ms, loading: loading_ms, idle: idle_ms, unknown: unknown_ms }).map(
          ([state, ms]) => ({ gauge: providerHour, labels: { provider, state }, value: ms / 1_000 }),
        ),
      ),
      ...tasks.map(({ provider, tasks: value }) => ({ gauge: providerTasks, labels: { provider }, value })),
    ];
  }
}
