import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { Replay } from '../../idempotency/replay';
import { JobPresenter } from '../../job/job-presenter';

/** The job that a key is bound to; asks for nothing but route, key and body, so a replay works whatever has changed since. */
@Injectable()
export class FindReplay {
  constructor(
    private readonly replay: Replay,
    private readonly presenter: JobPresenter,
  ) {}

  async execute(request: { account_id: string; idempotency: Idempotency }): Promise<{ job: Job | null }> {
    const job = await this.replay.find(request.account_id, request.idempotency);
    return { job: job && (await this.presenter.toJob(job)) };
  }
}
