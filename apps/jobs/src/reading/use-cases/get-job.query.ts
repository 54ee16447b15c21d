import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { GetJobRequest, JobRef, OutputFile } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { IncomingCall } from '@kinora/bus';
import { JobRepository, type ReadJob } from '../../job/job.repository';
import { JobPresenter } from '../../job/job.view';
import { InlinePoll } from '../../polling/attempt-poller';

/** Bounds the inline poll: a read with a slow provider returns the last known state. */
const RECONCILE_BUDGET_MS = 2_000;

@Injectable()
export class GetJob {
  constructor(
    private readonly jobs: JobRepository,
    private readonly inlinePoll: InlinePoll,
    private readonly presenter: JobPresenter,
  ) {}

  /** Reads the jobs of a batch by one statement. A job of another account counts as not found. */
  async execute(calls: IncomingCall<GetJobRequest, Job>[]): Promise<void> {
    const reads = await this.jobs.findOfAccounts(
      calls.map(({ request, caller }) => ({ item: { id: request.job_id, accountId: request.account_id }, caller })),
    );
    calls.forEach((call, place) => {
      const read = reads[place];
      const found = read?.status === 'fulfilled' ? read.value : null;
      const isDeleted = call.request.unless_content_deleted && found?.job.content_deleted_at;
      if (found && !isDeleted) call.answer(call.run(() => this.present(found)));
      else if (read?.status === 'rejected') call.fail(read.reason);
      else call.fail(new ApiError('not_found', 'There is no such job.'));
    });
  }

  private async present({ job, isPollDue }: ReadJob): Promise<Job> {
    const reconciled = isPollDue && (await this.inlinePoll.reconcile(job.id, RECONCILE_BUDGET_MS));
    // The poll is optional: if the second read fails, the job from the first read is returned.
    const changed = reconciled ? await this.jobs.find(job.id).catch(() => null) : null;
    return this.presenter.toJob(changed ?? job);
  }
}

/** The stored files of a job, in the order of its outputs. A job of another account counts as not found. */
@Injectable()
export class ListOutputFiles {
  constructor(private readonly jobs: JobRepository) {}

  async execute({ account_id, job_id }: JobRef): Promise<{ files: OutputFile[] }> {
    const found = await this.jobs.findOfAccount(job_id, account_id);
    if (!found) throw new ApiError('not_found', 'There is no such job.');
    const outputs = found.job.output ?? [];
    return { files: outputs.map(({ object_key, mime, bytes }) => ({ object_key, mime, bytes })) };
  }
}
