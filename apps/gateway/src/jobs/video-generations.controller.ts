import { Controller, Post, Res } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { type FastifyReply } from 'fastify';
import { RoutePolicy } from '../http/route-policy';
import { BODY_MAX_BYTES } from '../body-limits';
import { JobWaits } from '../job-watch/job-waits';
import { CreateVideoGeneration } from './create-video-generation.use-case';
import { CreatesJob } from './creates-job.decorator';
import { type JobPost, CurrentJobPost, answerCreated } from './job-post';

@Controller('videos/generations')
export class VideoGenerationsController {
  constructor(
    private readonly createVideoGeneration: CreateVideoGeneration,
    private readonly waits: JobWaits,
  ) {}

  @Post()
  @RoutePolicy({ takesJson: true, bodyMaxBytes: BODY_MAX_BYTES['video.generation'], timeoutMs: 45_000 })
  @CreatesJob({
    operationId: 'createVideoGeneration',
    summary: 'Animate an image',
    description:
      'Makes a video that begins with the image: PNG, JPEG or WebP, at most 10 MiB, 64 to 4096 pixels a side. The price ' +
      'is that of the seconds.',
    body: VideoGenerationBody,
    errors: jobsRpc.quote.errors,
  })
  async create(@CurrentJobPost() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    const { job, replayed } = await this.createVideoGeneration.execute(post);
    return answerCreated(reply, { job: await this.waits.apply(reply, job), replayed });
  }
}
