import { Injectable } from '@nestjs/common';
import { GaugeSampler, type Reading } from '@kinora/database';
import { JobCountsRepository } from './job-counts.repository';
import {
  jobsInFlight,
  oldestQueuedJobAge,
  oldestUnsettledJobAge,
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
    const modelQueues = await this.counts.countInFlight();
    const unsettled = await this.counts.countUnsettled();
    const tasks = await this.counts.countTasks();
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
      ...tasks.map(({ provider, tasks: value }) => ({ gauge: providerTasks, labels: { provider }, value })),
    ];
  }
}
