import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Job } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc, type OutputFile } from '@kinora/contracts/jobs/jobs.rpc';
import { type ListVideosRequest, videosRpc } from '@kinora/contracts/jobs/videos.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Bus } from '@kinora/bus';
import { CreateWithImages } from '../../jobs/create-with-images.use-case';
import { jobHeaders } from '../images-answer';
import { OpenAiNames } from '../openai-models';
import { UnkeyedRequests } from '../unkeyed-requests';
import {
  type DeletedOpenAiVideo,
  isVideoJob,
  type OpenAiVideo,
  type OpenAiVideoList,
  toOpenAiVideo,
  toOpenAiVideoList,
  type VideoJob,
} from './openai-video';
import { inOpenAiNames, toVideoGeneration } from './to-video-generation';

/** Reads and deletes the video jobs of an account. A job of another kind does not exist here, nor does a deleted video. */
@Injectable()
export class OpenAiVideos {
  constructor(private readonly bus: Bus) {}

  async get(ref: JobRef): Promise<OpenAiVideo> {
    return this.show(await this.find(ref), ref.account_id);
  }

  async list(request: ListVideosRequest): Promise<OpenAiVideoList> {
    const { videos, has_more } = await this.bus.request(videosRpc.list, request);
    const shown = videos.filter(isVideoJob).map((job) => this.show(job, request.account_id));
    return toOpenAiVideoList(await Promise.all(shown), has_more);
  }

  /** The stored file of a completed video. @throws ApiError not_found */
  async findContent(ref: JobRef): Promise<OutputFile> {
    const { status, output } = await this.find(ref);
    if (status !== 'succeeded' || !output)
      throw new ApiError('not_found', 'The video has no content: it is not completed.');
    if (!('video' in output) || output.video.url === null) throw contentIsGone();
    const { files } = await this.bus.request(jobsRpc.listOutputFiles, ref);
    const [file] = files;
    if (!file) throw contentIsGone();
    return file;
  }

  async delete(ref: JobRef): Promise<DeletedOpenAiVideo> {
    // Also of a video whose deletion has failed halfway: a repeat completes it.
    const { id } = await this.find(ref, { isDeletedFound: true });
    await this.bus.request(jobsRpc.deleteContent, ref);
    return { id, object: 'video.deleted', deleted: true };
  }

  /** Only a job in progress has a progress that its status does not tell. */
  async show(job: Job, accountId: string): Promise<OpenAiVideo> {
    if (!isVideoJob(job)) throw new Error(`Job ${job.id} is no video.`);
    const isRunning = job.status === 'processing';
    const ref = { account_id: accountId, job_id: job.id };
    return toOpenAiVideo(job, isRunning ? (await this.bus.request(jobsRpc.getProgress, ref)).progress : null);
  }

  private async find(ref: JobRef, { isDeletedFound = false } = {}): Promise<VideoJob> {
    const request = isDeletedFound ? ref : { ...ref, unless_content_deleted: true as const };
    const job = await this.bus.request(jobsRpc.get, request).catch(asNoVideo);
    if (!isVideoJob(job)) throw noSuchVideo();
    return job;
  }
}

export function contentIsGone(): ApiError {
  return new ApiError('not_found', 'The content of this video is deleted.');
}

function asNoVideo(error: unknown): never {
  throw error instanceof ApiError && error.code === 'not_found' ? noSuchVideo() : error;
}

function noSuchVideo(): ApiError {
  return new ApiError('not_found', 'There is no such video.');
}

/** Creates a video job as /v1 does, and answers at once. */
@Injectable()
export class CreateOpenAiVideo {
  constructor(
    private readonly names: OpenAiNames,
    private readonly requests: UnkeyedRequests,
    private readonly createWithImages: CreateWithImages,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply): Promise<Job> {
    const post = await this.requests.open(request, reply);
    const { body, wanted, ignored } = toVideoGeneration(post.body.value, await this.names.read());
    if (ignored.length > 0) reply.header('X-Kinora-Ignored', ignored.join(', '));
    const translated = { ...post, body: { ...post.body, value: body } };
    const { job, replayed } = await this.createWithImages.animate(translated, wanted).catch((error: unknown) => {
      throw inOpenAiNames(error);
    });
    request.createdJobId = job.id;
    if (replayed) reply.header('Idempotency-Replayed', 'true');
    reply.headers(jobHeaders(job));
    return job;
  }
}
