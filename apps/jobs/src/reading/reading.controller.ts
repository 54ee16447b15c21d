import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { EventPage, ListEventsRequest } from '@kinora/contracts/jobs/jobs.events';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import {
  type FinishedCursor,
  type FinishedPage,
  type GetJobRequest,
  type JobRef,
  type ListJobsRequest,
  type OutputFile,
  type UsageRequest,
  jobsRpc,
} from '@kinora/contracts/jobs/jobs.rpc';
import {
  ownJobsRpc,
  type SearchJobsRequest,
  type UsageDetails,
  type UsageDetailsRequest,
} from '@kinora/contracts/jobs/own-jobs.rpc';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { type ListVideosRequest, type VideoPage, videosRpc } from '@kinora/contracts/jobs/videos.rpc';
import { GetProgress } from '../progress/use-cases/get-progress.query';
import { GetUsage, ShowUsageDetails } from '../usage/use-cases/get-usage.query';
import { GetJob, ListOutputFiles } from './use-cases/get-job.query';
import { ListEvents } from './use-cases/list-events.query';
import { ListEndedJobs, ListFinishedJobs } from './use-cases/list-finished-jobs.query';
import { ListJobs, ListVideos } from './use-cases/list-jobs.query';
import { SearchJobs } from './use-cases/search-jobs.query';

/** What accounts read: their jobs, the progress of these, and their usage. */
@Controller()
export class ReadingController {
  constructor(
    private readonly getJob: GetJob,
    private readonly listJobs: ListJobs,
    private readonly listOutputFiles: ListOutputFiles,
    private readonly listVideos: ListVideos,
    private readonly getJobProgress: GetProgress,
    private readonly getUsage: GetUsage,
  ) {}

  @Handles(jobsRpc.get)
  get(request: GetJobRequest): Promise<Job> {
    return this.getJob.execute(request);
  }

  @Handles(jobsRpc.list)
  list(request: ListJobsRequest): Promise<JobList> {
    return this.listJobs.execute(request);
  }

  @Handles(jobsRpc.listOutputFiles)
  listFiles(ref: JobRef): Promise<{ files: OutputFile[] }> {
    return this.listOutputFiles.execute(ref);
  }

  @Handles(videosRpc.list)
  listVideosOf(request: ListVideosRequest): Promise<VideoPage> {
    return this.listVideos.execute(request);
  }

  @Handles(jobsRpc.getProgress)
  getProgress(ref: JobRef): Promise<JobProgress> {
    return this.getJobProgress.execute(ref);
  }

  @Handles(jobsRpc.getUsage)
  usage(request: UsageRequest): Promise<Usage> {
    return this.getUsage.execute(request);
  }
}

/** What customers see on the pages of the console, and not in the public API. */
@Controller()
export class OwnJobsController {
  constructor(
    private readonly searchJobs: SearchJobs,
    private readonly showUsageDetails: ShowUsageDetails,
  ) {}

  @Handles(ownJobsRpc.search)
  search(request: SearchJobsRequest): Promise<JobList> {
    return this.searchJobs.execute(request);
  }

  @Handles(ownJobsRpc.showUsage)
  showUsage(request: UsageDetailsRequest): Promise<UsageDetails> {
    return this.showUsageDetails.execute(request);
  }
}

/** The ends of jobs, for the feeds of accounts, the gateways that hold requests, and the dispatcher of webhooks. */
@Controller()
export class EndedJobsController {
  constructor(
    private readonly listEventsOfAccount: ListEvents,
    private readonly listEndedJobs: ListEndedJobs,
    private readonly listFinishedJobs: ListFinishedJobs,
  ) {}

  @Handles(jobsRpc.listEvents)
  listEvents(request: ListEventsRequest): Promise<EventPage> {
    return this.listEventsOfAccount.execute(request);
  }

  @Handles(jobsRpc.listEnded)
  listEnded({ job_ids }: { job_ids: string[] }): Promise<{ ended: string[] }> {
    return this.listEndedJobs.execute(job_ids);
  }

  @Handles(jobsRpc.listFinished)
  listFinished(request: { after: FinishedCursor | null; limit: number }): Promise<FinishedPage> {
    return this.listFinishedJobs.execute(request);
  }
}
