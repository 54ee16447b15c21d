import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { Database, violatedConstraint } from '@kinora/database';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import type { CreateJobRequest, Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { IdempotencyKeyRepository } from '../../idempotency/idempotency-key.repository';
import { JobRepository } from '../../job/job.repository';
import type { JobRow, NewJob } from '../../job/job.row';
import { Backlog } from '../../model/backlog';
import { DEFAULT_MODEL } from '../../model/default-model';
import { ModelCache } from '../../model/model-cache';
import { draftJob } from './draft-job';
import { screenedContent } from './screened-content';

/** The steps from a request to a stored job, each keyed by the job's id, in the order of the decisions. */
@Injectable()
export class JobAcceptance {
  constructor(
    private readonly bus: Bus,
    private readonly database: Database,
    private readonly models: ModelCache,
    private readonly backlog: Backlog,
    private readonly jobs: JobRepository,
    private readonly keys: IdempotencyKeyRepository,
  ) {}

  async accept(jobId: string, request: CreateJobRequest): Promise<JobRow> {
    const account = { account_id: request.account_id, job_id: jobId };
    const model = await this.models.resolve(request.input.model ?? DEFAULT_MODEL[request.kind], request.kind);
    const draft = draftJob(jobId, request, model);
    const screened = await this.bus.request(moderationRpc.screenInput, { ...account, ...screenedContent(request) });
    await this.backlog.assertRoom(model);
    const { amount_micros: price_micros, retention_days } = await this.bus.request(billingRpc.reserve, {
      ...account,
      amount_micros: draft.price_micros,
    });
    const job = await this.store(
      // What is held is the price: a request that was begun under an older catalog goes on with the hold it made.
      { ...draft, price_micros, retention_days, input_decision_id: screened.decision_id },
      request.idempotency,
    );
    this.bus.signal(jobsSignals.queued, {});
    return job;
  }

  /** The job and the binding of its key are one transaction. What was reserved and never stored is found by a sweeper. */
  private async store(newJob: NewJob, idempotency: Idempotency | undefined): Promise<JobRow> {
    try {
      return await this.database.transaction(async (transaction) => {
        const job = await this.jobs.insert(transaction, newJob);
        if (idempotency) await this.keys.accept(transaction, job.account_id, idempotency.key, job.id);
        return job;
      });
    } catch (error) {
      // This request was slow enough to be taken for dead: its id was given up, or another request went on with it.
      const overtaken = ['job_is_not_tombstoned', 'job_pkey'].includes(violatedConstraint(error) ?? '');
      throw overtaken ? ApiError.unavailable('The service') : error;
    }
  }
}
