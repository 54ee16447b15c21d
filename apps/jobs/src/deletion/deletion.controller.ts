import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { Job } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { DeleteContent } from './use-cases/delete-content.use-case';
import { DeleteOutputs } from './use-cases/delete-outputs.use-case';

/** Deletions that accounts request. */
@Controller()
export class DeletionController {
  constructor(
    private readonly outputs: DeleteOutputs,
    private readonly content: DeleteContent,
  ) {}

  @Handles(jobsRpc.deleteOutputs)
  deleteOutputs(ref: JobRef): Promise<Job> {
    return this.outputs.execute(ref);
  }

  @Handles(jobsRpc.deleteContent)
  deleteContent(ref: JobRef): Promise<Job> {
    return this.content.execute(ref);
  }
}
