import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { remainingMs } from '@kinora/bus';
import { crashPoint } from '@kinora/service-kit';
import { v7 as uuidv7 } from 'uuid';
import type { CreateJobReply, CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { AcceptedJobs } from '../../queue/accepted-jobs';
import { RightOfWay } from '../../queue/right-of-way';
import { Replay } from '../../idempotency/replay';
import { JobPresenter } from '../../job/job-presenter';
import { isInFlight } from '../../job/job-status';
import { JobRepository } from '../../job/job.repository';
import type { JobRow } from '../../job/job.row';
import { VideoJudging } from '../../model/video-judging';
import { inputImages } from './input-images';
import { JobAcceptance } from './job-acceptance';

const LOOK_FOR_END_MS = 50;
/** What is left of the caller's time for the answer to arrive in. */
const ANSWER_RESERVE_MS = 1_000;

/** Accepts a job: nothing is charged, stored or sent twice for one Idempotency-Key. */
@Injectable()
export class CreateJob {
  constructor(
    private readonly replay: Replay,
    private readonly acceptance: JobAcceptance,
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
    private readonly rightOfWay: RightOfWay,
    private readonly accepted: AcceptedJobs,
    private readonly videos: VideoJudging,
  ) {}

  async execute(request: CreateJobRequest): Promise<CreateJobReply> {
    if (!request.idempotency) return await this.accept(uuidv7(), request);
    const { account_id: accountId, idempotency } = request;
    const newJob = { job_id: uuidv7(), has_images: inputImages(request).length > 0 };
    const claim = await this.replay.findOrClaim(accountId, idempotency, newJob);
    if ('replayed' in claim) return { job: await this.presenter.toJob(claim.replayed), replayed: true };
    crashPoint('jobs.accept.key_claimed');
    try {
      return await this.accept(claim.jobId, request);
    } catch (error) {
      await this.replay.letGo(accountId, idempotency.key, claim.jobId, error);
      throw error;
    }
  }

  private async accept(jobId: string, request: CreateJobRequest): Promise<CreateJobReply> {
    this.videos.assertOffered(request.kind);
    const accepted = await this.rightOfWay.during(() => this.acceptance.accept(jobId, request));
    this.accepted.add(accepted);
    const job = await this.awaitEnd(accepted);
    crashPoint('jobs.accept.before_answer');
    return { job: await this.presenter.toJob(job), replayed: false };
  }

  /**
   * Decisions: "200 on creation: … a job that ended within the model's sync_wait_ms". The job is accepted by now:
   * neither the caller's deadline nor a failing look may turn that into an error.
   */
  private async awaitEnd(accepted: JobRow): Promise<JobRow> {
    const leftMs = (remainingMs() ?? Number.POSITIVE_INFINITY) - ANSWER_RESERVE_MS;
    const waitUntil = performance.now() + Math.min(accepted.plan.sync_wait_ms, leftMs);
    let job = accepted;
    while (isInFlight(job.status) && performance.now() < waitUntil) {
      await sleep(LOOK_FOR_END_MS);
      job = (await this.jobs.find(accepted.id).catch(() => null)) ?? job;
    }
    return job;
  }
}
