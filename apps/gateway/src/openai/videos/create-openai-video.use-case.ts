import { Injectable } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CreateVideoGeneration } from '../../jobs/create-video-generation.use-case';
import { jobHeaders } from '../images-answer';
import { OpenAiNames } from '../offered-names';
import { UnkeyedRequests } from '../unkeyed-requests';
import { inOpenAiNames, toVideoGeneration } from './to-video-generation';

/** Creates a video job as /v1 does, and answers at once. */
@Injectable()
export class CreateOpenAiVideo {
  constructor(
    private readonly names: OpenAiNames,
    private readonly requests: UnkeyedRequests,
    private readonly createVideoGeneration: CreateVideoGeneration,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply): Promise<Job> {
    const post = await this.requests.open(request, reply);
    const { body, wanted, ignored } = toVideoGeneration(post.body.value, await this.names.read());
    if (ignored.length > 0) reply.header('X-Kinora-Ignored', ignored.join(', '));
    const translated = { ...post, body: { ...post.body, value: body } };
    const { job, replayed } = await this.createVideoGeneration.execute(translated, wanted).catch((error: unknown) => {
      throw inOpenAiNames(error);
    });
    request.createdJobId = job.id;
    if (replayed) reply.header('Idempotency-Replayed', 'true');
    reply.headers(jobHeaders(job));
    return job;
  }
}
