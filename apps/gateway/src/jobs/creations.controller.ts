import { Controller, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { Job } from '@kinora/contracts/jobs/job';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { BODY_MAX_BYTES } from '../body-limits';
import { RoutePolicy } from '../http/route-policy';
import { JobWaits } from '../job-watch/job-waits';
import { Operation, type OperationFacts } from '../reference/operation.decorator';
import { CreateImageGeneration } from './create-image-generation.use-case';
import { CreateWithImages } from './create-with-images.use-case';
import { answerCreated, CurrentJobPost, type JobPost } from './job-post';

type CreationFacts = Pick<OperationFacts, 'operationId' | 'summary' | 'description' | 'body' | 'errors'>;

/** Describes an operation that creates a job, and adds the responses that all of them share. */
function CreatesJob({ errors, ...facts }: CreationFacts): MethodDecorator {
  return Operation({
    ...facts,
    tag: 'Jobs',
    idempotent: true,
    waits: true,
    answers: {
      200: 'The job has already finished, or finished while the request waited, or the Idempotency-Key was used before and this is its job.',
      202: 'The job is accepted and in flight.',
    },
    errors: ['model_not_allowed', ...jobsRpc.findReplay.errors, ...jobsRpc.create.errors, ...errors],
  });
}

@Controller()
export class CreationsController {
  constructor(
    private readonly createImageGeneration: CreateImageGeneration,
    private readonly createWithImages: CreateWithImages,
    private readonly waits: JobWaits,
  ) {}

  @Post('images/generations')
  @RoutePolicy({
    takesJson: true,
    hashesBody: true,
    bodyMaxBytes: BODY_MAX_BYTES['image.generation'],
    timeoutMs: 25_000,
  })
  @CreatesJob({
    operationId: 'createImageGeneration',
    summary: 'Create images from a prompt',
    description: 'Reserves the price of the images and queues the job.',
    body: ImageGenerationBody,
    errors: [],
  })
  async generateImages(@CurrentJobPost() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    return this.answer(reply, await this.createImageGeneration.execute(post));
  }

  @Post('images/edits')
  @RoutePolicy({ takesJson: true, hashesBody: true, bodyMaxBytes: BODY_MAX_BYTES['image.edit'], timeoutMs: 45_000 })
  @CreatesJob({
    operationId: 'createImageEdit',
    summary: 'Edit images by a prompt',
    description:
      'Takes one to three reference images. Each is PNG, JPEG or WebP, at most 10 MiB, 64 to 4096 pixels a side.',
    body: ImageEditBody,
    errors: jobsRpc.quote.errors,
  })
  async editImages(@CurrentJobPost() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    return this.answer(reply, await this.createWithImages.edit(post));
  }

  @Post('videos/generations')
  @RoutePolicy({
    takesJson: true,
    hashesBody: true,
    bodyMaxBytes: BODY_MAX_BYTES['video.generation'],
    timeoutMs: 45_000,
  })
  @CreatesJob({
    operationId: 'createVideoGeneration',
    summary: 'Animate an image',
    description:
      'Makes a video that begins with the image: PNG, JPEG or WebP, at most 10 MiB, 64 to 4096 pixels a side. The price ' +
      'is that of the seconds.',
    body: VideoGenerationBody,
    errors: jobsRpc.quote.errors,
  })
  async generateVideo(@CurrentJobPost() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    return this.answer(reply, await this.createWithImages.animate(post));
  }

  private async answer(reply: FastifyReply, { job, replayed }: CreateJobReply): Promise<Job> {
    return answerCreated(reply, { job: await this.waits.apply(reply, job), replayed });
  }
}
