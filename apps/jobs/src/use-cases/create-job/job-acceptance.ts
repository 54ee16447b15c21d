import { Injectable } from '@nestjs/common';
import { Bus, withinMs } from '@kinora/bus';
import { startStopwatch } from '@kinora/metrics';
import { ObjectStore } from '@kinora/object-store';
import { crashPoint } from '@kinora/service-kit';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/default-model';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { PassedContent } from '@kinora/contracts/moderation/decision';
import { SCREEN_TEXT_TIMEOUT_MS, moderationRpc } from '@kinora/contracts/moderation/moderation.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { AcceptedJobRepository } from '../../job/accepted-job.repository';
import type { JobRow, NewJob } from '../../job/job.row';
import { jobAcceptance, jobsAccepted } from '../../jobs.metrics';
import { Backlog } from '../../model/backlog';
import { FundsCheck } from '../../model/funds-check';
import { ModelCache } from '../../model/model-cache';
import { type DraftJob, draftJob } from './draft-job';
import { inputImages } from './input-images';
import { RunnableCheck } from './runnable-check';
import { screenedContent } from './screened-content';

/** The steps from a request to a stored job, each keyed by the job's id, in the order that clients are promised (decisions: Order of checks). */
@Injectable()
export class JobAcceptance {
  constructor(
    private readonly bus: Bus,
    private readonly models: ModelCache,
    private readonly funds: FundsCheck,
    private readonly backlog: Backlog,
    private readonly jobs: AcceptedJobRepository,
    private readonly objects: ObjectStore,
    private readonly runnable: RunnableCheck,
  ) {}

  async accept(jobId: string, request: CreateJobRequest): Promise<JobRow> {
    const seconds = startStopwatch();
    const newJob = await this.prepare(jobId, request).catch(async (error: unknown) => {
      await this.discardImages(request);
      throw error;
    });
    const job = await this.jobs.accept(newJob, request.idempotency?.key ?? null);
    // What was reserved and never stored is found by a sweeper.
    if (!job) throw ApiError.unavailable('The service');
    jobAcceptance.of({ kind: job.kind }).observe(seconds());
    jobsAccepted.inc({ kind: job.kind, model: job.model });
    return job;
  }

  /** All that can be refused, up to the reservation; nothing of it is stored here. */
  private async prepare(jobId: string, request: CreateJobRequest): Promise<NewJob> {
    const account = { account_id: request.account_id, job_id: jobId };
    const model = await this.models.resolve(request.input.model ?? DEFAULT_MODEL[request.kind], request.kind);
    const draft = draftJob(jobId, request, model);
    this.runnable.assertRunnable(draft, model);
    this.backlog.lookAhead(model);
    const images = inputImages(request);
    if (images.length > 0) await this.funds.assertPayable({ ...request, amount_micros: draft.price_micros });
    const ask = () => this.bus.request(moderationRpc.screenInput, { ...account, ...screenedContent(request) });
    const screened = await (images.length > 0 ? ask() : withinMs(SCREEN_TEXT_TIMEOUT_MS, ask));
    crashPoint('jobs.accept.inputs_screened');
    await this.backlog.assertRoom(model);
    return this.reserve(draft, request, screened);
  }

  /** Asks for the proof that the inputs have passed: without it there is nothing to reserve for. */
  private async reserve(
    draft: DraftJob,
    { account_id, api_key_id }: CreateJobRequest,
    { decision_id: input_decision_id, content_sha256 }: PassedContent,
  ): Promise<NewJob> {
    const { amount_micros: price_micros, retention_days } = await this.bus.request(billingRpc.reserve, {
      account_id,
      job_id: draft.id,
      ...(api_key_id !== undefined && { api_key_id }),
      amount_micros: draft.price_micros,
    });
    crashPoint('jobs.accept.hold_reserved');
    // What is held is the price: a request that was begun under an older catalog goes on with the hold it made.
    const passed = { input_decision_id, passed_input_sha256: content_sha256 ?? null };
    return Object.assign({}, draft, { price_micros, retention_days, ...passed });
  }

  /** No job refers to them: a repeated request brings its own. What cannot be deleted costs space and nothing else. */
  private async discardImages(request: CreateJobRequest): Promise<void> {
    await Promise.allSettled(inputImages(request).map(({ object_key }) => this.objects.delete(object_key)));
  }
}
