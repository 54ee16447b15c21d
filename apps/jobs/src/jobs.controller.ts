import { Controller } from '@nestjs/common';
import { Handles, OnSignal } from '@kinora/bus';
import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { type AbandonedCreation, abandonedCreationsRpc } from '@kinora/contracts/jobs/abandoned-creations.rpc';
import type { EventPage, ListEventsRequest } from '@kinora/contracts/jobs/events';
import type { ComputeExamination } from '@kinora/contracts/jobs/examination';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import type { JobHistory } from '@kinora/contracts/jobs/job-history';
import { jobsSignals } from '@kinora/contracts/jobs/jobs.events';
import {
  type BackendCallback,
  type CreateJobReply,
  type CreateJobRequest,
  type FinishedCursor,
  type FinishedPage,
  type HoldsReport,
  type Idempotency,
  type GetJobRequest,
  type JobRef,
  type ListJobsRequest,
  type QuoteRequest,
  type UsageRequest,
  type VerifyHoldsRequest,
  jobsRpc,
} from '@kinora/contracts/jobs/jobs.rpc';
import type { Usage, UsageViolation } from '@kinora/contracts/jobs/usage';
import { WakeUp } from '@kinora/service-kit';
import { VideoScreening } from './model/video-screening';
import type { WokenLoop } from './attempt/progress-recorder';
import { AbandonedCreations } from './ending/abandoned-creations';
import { CancelJob } from './ending/use-cases/cancel-job.use-case';
import { CreateJob } from './intake/use-cases/create-job/create-job.use-case';
import { DeleteContent } from './deletion/use-cases/delete-content.use-case';
import { DeleteOutputs } from './deletion/use-cases/delete-outputs.use-case';
import { ExamineProviders } from './operations/use-cases/examine-providers.query';
import { FindReplay } from './intake/use-cases/find-replay.query';
import { GetJob } from './reading/use-cases/get-job.query';
import { GetProgress } from './progress/use-cases/get-progress.query';
import { GetUsage, VerifyUsage } from './usage/use-cases/get-usage.query';
import { ListEndedJobs, ListFinishedJobs } from './reading/use-cases/list-finished-jobs.query';
import { ListEvents } from './reading/use-cases/list-events.query';
import { ListJobs } from './reading/use-cases/list-jobs.query';
import { QuoteJob } from './intake/use-cases/quote-job.query';
import { ReceiveCallback } from './polling/use-cases/receive-callback.use-case';
import { ShowJob } from './operations/use-cases/show-job.query';
import { VerifyHolds } from './operations/use-cases/verify-holds.query';

/** The requests about the progress of jobs. */
@Controller()
export class ProgressController {
  constructor(
    private readonly getJobProgress: GetProgress,
    private readonly listEndedJobs: ListEndedJobs,
  ) {}

  @Handles(jobsRpc.getProgress)
  getProgress(ref: JobRef): Promise<JobProgress> {
    return this.getJobProgress.execute(ref);
  }

  @Handles(jobsRpc.listEnded)
  listEnded({ job_ids }: { job_ids: string[] }): Promise<{ ended: string[] }> {
    return this.listEndedJobs.execute(job_ids);
  }
}

/** The requests of other contexts about jobs of one account: one method for each contract. */
@Controller()
export class JobsController {
  constructor(
    private readonly createJob: CreateJob,
    private readonly findReplayedJob: FindReplay,
    private readonly quoteJob: QuoteJob,
    private readonly getJob: GetJob,
    private readonly listJobs: ListJobs,
    private readonly cancelJob: CancelJob,
    private readonly getUsage: GetUsage,
  ) {}

  @Handles(jobsRpc.create)
  create(request: CreateJobRequest): Promise<CreateJobReply> {
    return this.createJob.execute(request);
  }

  @Handles(jobsRpc.findReplay)
  findReplay(request: { account_id: string; idempotency: Idempotency }): Promise<{ job: Job | null }> {
    return this.findReplayedJob.execute(request);
  }

  @Handles(jobsRpc.quote)
  quote(request: QuoteRequest): Promise<{ price_micros: number }> {
    return this.quoteJob.execute(request);
  }

  @Handles(jobsRpc.get)
  get(request: GetJobRequest): Promise<Job> {
    return this.getJob.execute(request);
  }

  @Handles(jobsRpc.list)
  list(request: ListJobsRequest): Promise<JobList> {
    return this.listJobs.execute(request);
  }

  @Handles(jobsRpc.cancel)
  cancel(ref: JobRef): Promise<Job> {
    return this.cancelJob.execute(ref);
  }

  @Handles(jobsRpc.getUsage)
  usage(request: UsageRequest): Promise<Usage> {
    return this.getUsage.execute(request);
  }
}

/** The creations that gateways take back. */
@Controller()
export class AbandonedCreationsController {
  constructor(private readonly abandonedCreations: AbandonedCreations) {}

  @Handles(abandonedCreationsRpc.abandon)
  abandon({ creations }: { creations: AbandonedCreation[] }): Promise<{ settled: string[] }> {
    return this.abandonedCreations.takeBack(creations);
  }
}

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

/** The feeds of accounts. */
@Controller()
export class EventsController {
  constructor(private readonly listEventsQuery: ListEvents) {}

  @Handles(jobsRpc.listEvents)
  listEvents(request: ListEventsRequest): Promise<EventPage> {
    return this.listEventsQuery.execute(request);
  }
}

/** Callbacks of compute backends. */
@Controller()
export class CallbacksController {
  constructor(private readonly receiveCallback: ReceiveCallback) {}

  @Handles(jobsRpc.receiveCallback)
  receive(callback: BackendCallback): Promise<Record<string, never>> {
    return this.receiveCallback.execute(callback);
  }
}

/** The requests of operators and other contexts about jobs of all accounts. */
@Controller()
export class JobsOperationsController {
  constructor(
    private readonly listFinishedJobs: ListFinishedJobs,
    private readonly showJob: ShowJob,
    private readonly verifyUsage: VerifyUsage,
    private readonly verifyHolds: VerifyHolds,
    private readonly examineProviders: ExamineProviders,
    private readonly videos: VideoScreening,
  ) {}

  @Handles(jobsRpc.listUnoffered)
  listUnoffered(_request: Record<string, never>): Promise<{ operations: Operation[] }> {
    return Promise.resolve({ operations: this.videos.listUnoffered() });
  }

  @Handles(jobsRpc.examineProviders)
  examine(_request: Record<string, never>): Promise<ComputeExamination> {
    return this.examineProviders.execute();
  }

  @Handles(jobsRpc.listFinished)
  listFinished(request: { after: FinishedCursor | null; limit: number }): Promise<FinishedPage> {
    return this.listFinishedJobs.execute(request);
  }

  @Handles(jobsRpc.show)
  show(request: { job_id: string }): Promise<JobHistory> {
    return this.showJob.execute(request);
  }

  @Handles(jobsRpc.verifyUsage)
  verify(_request: Record<string, never>): Promise<{ violations: UsageViolation[] }> {
    return this.verifyUsage.execute();
  }

  @Handles(jobsRpc.verifyHolds)
  compareHolds(request: VerifyHoldsRequest): Promise<HoldsReport> {
    return this.verifyHolds.execute(request);
  }
}

/** Wakes the runner of this process when any process has queued a job. */
@Controller()
export class RunnerController {
  constructor(private readonly wakeUp: WakeUp<WokenLoop>) {}

  @OnSignal(jobsSignals.queued)
  wake(_signal: Record<string, never>): Promise<void> {
    this.wakeUp.notify('dispatch');
    return Promise.resolve();
  }
}
