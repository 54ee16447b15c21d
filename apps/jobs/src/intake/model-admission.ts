import { Injectable } from '@nestjs/common';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/job-choices';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { NewJob } from '../job/job.entity';
import { toTaskFacts } from '../job/task-facts';
import { ModelCache } from '../model/model-cache';
import { VideoScreening } from '../model/video-screening';
import { Backlog } from './backlog';
import { atHeldPrice } from './held-price';
import { toNewJob } from './new-job';
import { QuoteTokens } from './quote-tokens';
import { Router } from '../routing/router';

/** Checks whether a model is offered, can run a job, and has room in its queue. */
@Injectable()
export class ModelAdmission {
  constructor(
    private readonly models: ModelCache,
    private readonly videos: VideoScreening,
    private readonly router: Router,
    private readonly backlog: Backlog,
    private readonly quotes: QuoteTokens,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws ApiError model_unavailable, capacity */
  async resolve({ kind, input, price_group }: CreateJobRequest): Promise<ResolvedModel> {
    this.videos.assertOffered(kind);
    return this.models.resolve(input.model ?? DEFAULT_MODEL[kind], kind, price_group);
  }

  /**
   * The job that follows from the request, at the price of its quote if it has one.
   * @throws ApiError invalid_body, quote_mismatch, quote_expired
   */
  toJob(id: string, request: CreateJobRequest, model: ResolvedModel): NewJob {
    const job = toNewJob(id, request, model);
    const { account_id, quote } = request;
    return quote === undefined ? job : atHeldPrice(job, quote, this.quotes.read(account_id, quote));
  }

  /**
   * Refuses a request that no backend of the model can run unchanged, for example one whose prompt every backend would cut. The
   * code is that of other requests which the model does not accept, because a retry would not help.
   * @throws ApiError invalid_body; capacity if no backend of the model is configured
   */
  assertRunnable(job: NewJob, { routes }: ResolvedModel): void {
    const unsupported = this.router.findUnsupportedReasons(routes, toTaskFacts(job, job.id));
    if (!unsupported) return;
    this.logger.warn({ model: job.model, routes, unsupported }, 'job_not_runnable');
    if (unsupported.length === 0) throw ApiError.unavailable('The model');
    throw new ApiError('invalid_body', `No backend of this model can run the request unchanged: ${unsupported[0]}`);
  }

  /** Starts to count the queue if the count is stale, so that `assertRoom` does not wait for it. */
  prefetchBacklog(model: ResolvedModel): void {
    this.backlog.prefetch(model);
  }

  /** @throws ApiError capacity */
  async assertRoom(model: ResolvedModel): Promise<void> {
    await this.backlog.assertRoom(model);
  }
}
