import { Controller, Post, Res } from '@nestjs/common';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type FastifyReply } from 'fastify';
import { Door } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { CreateImageGeneration } from './create-image-generation.use-case';
import { answerCreated } from './created-job';
import { type JobPost, Posted } from './job-post.decorator';

@Controller('images/generations')
export class ImageGenerationsController {
  constructor(private readonly createImageGeneration: CreateImageGeneration) {}

  /** The largest legal body, fully escaped, is under 100 KB. */
  @Post()
  @Door({ takesJson: true, bodyMaxBytes: 128 * 1024, timeoutMs: 25_000 })
  @Operation({
    operationId: 'createImageGeneration',
    tag: 'Jobs',
    summary: 'Create images from a prompt',
    description: 'Reserves the price and queues the job.',
    answers: {
      200: 'The job has finished already, or the Idempotency-Key is known and this is its job.',
      202: 'The job is accepted and in flight.',
    },
    body: ImageGenerationBody,
    idempotent: true,
    errors: [...jobsRpc.findReplay.errors, ...jobsRpc.create.errors],
  })
  async create(@Posted() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    return answerCreated(reply, await this.createImageGeneration.execute(post));
  }
}
