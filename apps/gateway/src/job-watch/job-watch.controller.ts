import { Controller } from '@nestjs/common';
import { OnSignal } from '@kinora/bus';
import { type ChangedJobs, jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import { JobWatch } from './job-watch';

/** Subscribes to the signals of jobs. */
@Controller()
export class JobWatchController {
  constructor(private readonly watch: JobWatch) {}

  @OnSignal(jobsSignals.changed)
  report(changed: ChangedJobs): Promise<void> {
    this.watch.report(changed);
    return Promise.resolve();
  }
}
