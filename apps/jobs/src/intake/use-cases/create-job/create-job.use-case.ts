import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { crashPoint } from '@kinora/service-kit';
import { type Reservation, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { CreateJobReply, CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { CreatedJobs } from '../../../dispatch/created-jobs';
import { IdempotencyKeys } from '../../idempotency-keys';
import type { JobRow, NewJob } from '../../../job/job.entity';
import { jobCreation, jobsCreated, quoteShortfall, quotedJobs } from '../../../jobs.metrics';
import type { AppliedQuote } from '../../../model/price';
import { CertainInsert } from './certain-insert';
import { InputScreening } from './input-screening';
import { ModelAdmission } from '../../model-admission';
import { SyncWait } from './sync-wait';

/** Creates a job: nothing is charged, stored or sent twice for one Idempotency-Key. */
@Injectable()
export class CreateJob {
  constructor(
    private readonly bus: Bus,
    private readonly keys: IdempotencyKeys,
    private readonly models: ModelAdmission,
    private readonly inputs: InputScreening,
    private readonly jobs: CertainInsert,
    private readonly createdJobs: CreatedJobs,
    private readonly syncWait: SyncWait,
  ) {}

  async execute(request: CreateJobRequest): Promise<CreateJobReply> {
    const claim = await this.keys.claim(request);
    if ('replayed' in claim) return { job: claim.replayed, replayed: true };
    const stored = await this.createdJobs.runWithPriority(() => this.create(claim.jobId, request));
    this.createdJobs.wakeDispatcherFor(stored);
    const job = await this.syncWait.present(stored);
    crashPoint('jobs.accept.before_answer');
    return { job, replayed: false };
  }

  /** The checks that may refuse a request are in the order of the decisions (Order of checks). */
  private async create(jobId: string, request: CreateJobRequest): Promise<JobRow> {
    const startedAtMs = performance.now();
    let mayBeStored = false;
    try {
      const model = await this.models.resolve(request);
      const job = this.models.toJob(jobId, request, model);
      this.models.assertRunnable(job, model);
      this.models.prefetchBacklog(model);
      await this.inputs.assertReservable(request, job);
      const passed = await this.inputs.screen(request, jobId);
      crashPoint('jobs.accept.inputs_screened');
      await this.models.assertRoom(model);
      const hold = await this.reserve(request, job);
      crashPoint('jobs.accept.hold_reserved');
      mayBeStored = true;
      const idempotencyKey = request.idempotency?.key ?? null;
      const stored = await this.jobs.insert({ job, passed, hold, idempotencyKey });
      meterCreation(job, stored, (performance.now() - startedAtMs) / 1_000);
      return stored;
    } catch (error) {
      // A job that is stored needs its images. The sweep of orphan holds refunds the hold of a job that is not.
      if (!mayBeStored) await this.inputs.discardImages(request);
      await this.keys.release(request, jobId, error);
      throw error;
    }
  }

  private reserve(request: CreateJobRequest, { id, price_micros }: NewJob): Promise<Reservation> {
    const { account_id, api_key_id } = request;
    const key = api_key_id === undefined ? {} : { api_key_id };
    const hold = { account_id, job_id: id, amount_micros: price_micros, ...key };
    return this.bus.request(billingRpc.reserve, hold);
  }
}

function meterCreation({ quote, price_micros }: NewJob, stored: JobRow, seconds: number): void {
  jobCreation.of({ kind: stored.kind }).observe(seconds);
  jobsCreated.inc({ kind: stored.kind, model: stored.model });
  if (quote && price_micros === stored.price_micros) meterQuote(quote, stored);
}

/** Counts a job that was created under a quote, by how the price list has moved since. */
function meterQuote({ list_micros }: AppliedQuote, { model, price_micros }: JobRow): void {
  const shortfall = list_micros - price_micros;
  quotedJobs.inc({ model, held: shortfall > 0 ? 'below' : shortfall < 0 ? 'above' : 'same' });
  if (shortfall > 0) quoteShortfall.inc({ model }, shortfall);
}
