import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { startStopwatch } from '@kinora/metrics';
import { crashPoint } from '@kinora/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { type Reservation, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { CreateJobReply, CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { CreatedJobs } from '../../queue/created-jobs';
import { IdempotencyKeys } from '../../idempotency/idempotency-keys';
import { type JobProofs, JobInsertRepository } from '../../job/job-insert.repository';
import type { JobRow, NewJob } from '../../job/job.entity';
import { jobCreation, jobsCreated } from '../../jobs.metrics';
import { InputScreening } from './input-screening';
import { ModelAdmission } from './model-admission';
import { imagesOf, toNewJob } from './new-job';
import { SyncWait } from './sync-wait';

/** Creates a job: nothing is charged, stored or sent twice for one Idempotency-Key. */
@Injectable()
export class CreateJob {
  constructor(
    private readonly bus: Bus,
    private readonly keys: IdempotencyKeys,
    private readonly models: ModelAdmission,
    private readonly inputs: InputScreening,
    private readonly jobs: JobInsertRepository,
    private readonly createdJobs: CreatedJobs,
    private readonly syncWait: SyncWait,
  ) {}

  async execute(request: CreateJobRequest): Promise<CreateJobReply> {
    if (!request.idempotency) return await this.create(uuidv7(), request);
    const { account_id: accountId, idempotency } = request;
    const newJob = { job_id: uuidv7(), has_images: imagesOf(request).length > 0 };
    const claim = await this.keys.findOrClaim(accountId, idempotency, newJob);
    if ('replayed' in claim) return { job: claim.replayed, replayed: true };
    crashPoint('jobs.accept.key_claimed');
    try {
      return await this.create(claim.jobId, request);
    } catch (error) {
      await this.keys.release(accountId, idempotency.key, claim.jobId, error);
      throw error;
    }
  }

  private async create(jobId: string, request: CreateJobRequest): Promise<CreateJobReply> {
    const stored = await this.createdJobs.track(() => this.reserveAndStore(jobId, request));
    const job = await this.syncWait.present(stored);
    crashPoint('jobs.accept.before_answer');
    return { job, replayed: false };
  }

  private async reserveAndStore(jobId: string, request: CreateJobRequest): Promise<JobRow> {
    const seconds = startStopwatch();
    const { job, proofs } = await this.prepare(jobId, request).catch(async (error: unknown) => {
      await this.inputs.discardImages(request);
      throw error;
    });
    const stored = await this.jobs.insert(job, proofs, request.idempotency?.key ?? null);
    // The sweep of orphan holds refunds a hold whose job was never stored.
    if (!stored) throw ApiError.unavailable('The service');
    jobCreation.of({ kind: stored.kind }).observe(seconds());
    jobsCreated.inc({ kind: stored.kind, model: stored.model });
    return stored;
  }

  /** Runs every check that may refuse the request, up to the reservation (decisions: Order of checks). */
  private async prepare(jobId: string, request: CreateJobRequest): Promise<{ job: NewJob; proofs: JobProofs }> {
    const model = await this.models.resolve(request);
    const job = toNewJob(jobId, request, model);
    this.models.assertRunnable(job, model);
    this.models.prefetchBacklog(model);
    const serverRun = await this.jobs.serverRun.current();
    const passed = await this.inputs.screen(request, job, serverRun);
    crashPoint('jobs.accept.inputs_screened');
    await this.models.assertRoom(model);
    const hold = await this.reserve(job, request, serverRun);
    crashPoint('jobs.accept.hold_reserved');
    return { job, proofs: { passed, hold, serverRun } };
  }

  private reserve(job: NewJob, { api_key_id }: CreateJobRequest, serverRun: string): Promise<Reservation> {
    const { id, account_id, price_micros } = job;
    const request = { account_id, job_id: id, amount_micros: price_micros, server_run: serverRun };
    return this.bus.request(billingRpc.reserve, api_key_id === undefined ? request : { ...request, api_key_id });
  }
}
