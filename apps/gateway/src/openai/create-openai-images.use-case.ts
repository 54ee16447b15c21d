import { Injectable } from '@nestjs/common';
import { isInFlight, type Job } from '@kinora/contracts/jobs/job';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ObjectStore } from '@kinora/object-store';
import { Readiness } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config';
import { callerOf } from '../http/parameters.decorator';
import { JobWaits } from '../job-watch/job-waits';
import { SharedReads } from '../job-watch/job-watch';
import type { JobPost } from '../jobs/job-post';
import {
  type ImagesAnswer,
  imagesAreGone,
  jobHeaders,
  sendAnswer,
  showsImages,
  toBase64Answer,
  toEventsAnswer,
  toUrlsAnswer,
} from './images-answer';
import { stillInFlight, toJobEndError } from './openai-error';
import { type OfferedNames, OpenAiNames } from './openai-models';
import type { ImageDelivery, TranslatedBody } from './to-image-generation';
import { UnkeyedRequests } from './unkeyed-requests';

/** How an operation of OpenAI is translated, and the use case of /v1 that then creates the job. */
export interface TranslatedOperation {
  translate: (received: unknown, offered: OfferedNames) => TranslatedBody;
  create: (post: JobPost) => Promise<CreateJobReply>;
}

/** Creates a job as /v1 does, waits for its end, and answers with its images. */
@Injectable()
export class CreateOpenAiImages {
  constructor(
    private readonly names: OpenAiNames,
    private readonly requests: UnkeyedRequests,
    private readonly waits: JobWaits,
    private readonly reads: SharedReads,
    private readonly objects: ObjectStore,
    private readonly readiness: Readiness,
    private readonly config: GatewayConfig,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply, operation: TranslatedOperation): Promise<void> {
    const { job, delivery } = await this.createJob(request, reply, operation);
    const ended = await this.waitForEnd(request, job);
    reply.headers(jobHeaders(ended));
    request.reportsFailedJob = ended.status !== 'succeeded';
    if (request.reportsFailedJob) throw toJobEndError(ended);
    await sendAnswer(reply, await this.answerOf(ended, delivery, callerOf(request).account_id), this.objects);
  }

  /** A method of its own: the variables of `execute` live as long as the client waits, and must not hold the images of an edit. */
  private async createJob(
    request: FastifyRequest,
    reply: FastifyReply,
    { translate, create }: TranslatedOperation,
  ): Promise<{ job: Job; delivery: ImageDelivery }> {
    this.waits.reserve(request);
    const post = await this.requests.open(request, reply);
    const { body, ignored, responseFormat, stream } = translate(post.body.value, await this.names.read());
    if (ignored.length > 0) reply.header('X-Kinora-Ignored', ignored.join(', '));
    const { job, replayed } = await create({ ...post, body: { ...post.body, value: body } });
    request.createdJobId = job.id;
    if (replayed) reply.header('Idempotency-Replayed', 'true');
    reply.headers(jobHeaders(job));
    return { job, delivery: { responseFormat, stream } };
  }

  /** @throws OpenAiError after the longest wait; ApiError capacity where this process stops */
  private async waitForEnd(request: FastifyRequest, job: Job): Promise<Job> {
    const { openAiWaitSeconds } = this.config;
    const waited = await this.waits.untilEnded(request, job, openAiWaitSeconds);
    if (waited && !isInFlight(waited.status)) return waited;
    // The client repeats the request, and joins the job from another process.
    if (!waited || this.readiness.isStopping) throw ApiError.unavailable('Waiting for the job');
    throw stillInFlight(job.id, openAiWaitSeconds);
  }

  private async answerOf(
    job: Job,
    { responseFormat, stream }: ImageDelivery,
    accountId: string,
  ): Promise<ImagesAnswer> {
    if (responseFormat === 'url' && !stream) return toUrlsAnswer(job);
    if (!showsImages(job)) throw imagesAreGone();
    const ref = { account_id: accountId, job_id: job.id };
    const { files } = await this.reads.read(jobsRpc.listOutputFiles, ref);
    return stream ? toEventsAnswer(job, files) : toBase64Answer(job, files);
  }
}
