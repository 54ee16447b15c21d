import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type AbandonedCreation, abandonedCreationsRpc } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { AbandonedCreations } from './abandoned-creations';
import { CancelJob } from './use-cases/cancel-job.use-case';

/** Cancels of clients, and creations that gateways take back. */
@Controller()
export class EndingController {
  constructor(
    private readonly cancelJob: CancelJob,
    private readonly abandonedCreations: AbandonedCreations,
  ) {}

  @Handles(jobsRpc.cancel)
  cancel(ref: JobRef): Promise<Job> {
    return this.cancelJob.execute(ref);
  }

  @Handles(abandonedCreationsRpc.abandon)
  abandon({ creations }: { creations: AbandonedCreation[] }): Promise<{ settled: string[] }> {
    return this.abandonedCreations.takeBack(creations);
  }
}
