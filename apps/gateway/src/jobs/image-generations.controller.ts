import { Controller, Post, Res } from '@nestjs/common';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { Job } from '@kinora/contracts/jobs/job';
import { type FastifyReply } from 'fastify';
import { RoutePolicy } from '../http/route-policy';
import { BODY_MAX_BYTES } from '../body-limits';
import { JobWaits } from '../job-watch/job-waits';
import { CreateImageGeneration } from './create-image-generation.use-case';
import { CreatesJob } from './creates-job.decorator';
import { type JobPost, CurrentJobPost, answerCreated } from './job-post';

@Controller('images/generations')
export class ImageGenerationsController {
  constructor(
    private readonly createImageGeneration: CreateImageGeneration,
    private readonly waits: JobWaits,
  ) {}

  @Post()
  @RoutePolicy({ takesJson: true, bodyMaxBytes: BODY_MAX_BYTES['image.generation'], timeoutMs: 25_000 })
  @CreatesJob({
    operationId: 'createImageGeneration',
    summary: 'Create images from a prompt',
    description: 'Reserves the price of the images and queues the job.',
    body: ImageGenerationBody,
    errors: [],
  })
  async create(@CurrentJobPost() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    const { job, replayed } = await this.createImageGeneration.execute(post);
    return answerCreated(reply, { job: await this.waits.apply(reply, job), replayed });
  }
}
