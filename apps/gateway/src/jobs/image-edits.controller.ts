import { Controller, Post, Res } from '@nestjs/common';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type FastifyReply } from 'fastify';
import { RoutePolicy } from '../http/route-policy';
import { BODY_MAX_BYTES } from '../body-limits';
import { JobWaits } from '../job-watch/job-waits';
import { CreateImageEdit } from './create-image-edit.use-case';
import { CreatesJob } from './creates-job.decorator';
import { type JobPost, CurrentJobPost, answerCreated } from './job-post';

@Controller('images/edits')
export class ImageEditsController {
  constructor(
    private readonly createImageEdit: CreateImageEdit,
    private readonly waits: JobWaits,
  ) {}

  @Post()
  @RoutePolicy({ takesJson: true, bodyMaxBytes: BODY_MAX_BYTES['image.edit'], timeoutMs: 45_000 })
  @CreatesJob({
    operationId: 'createImageEdit',
    summary: 'Edit images by a prompt',
    description:
      'Takes one to three reference images. Each is PNG, JPEG or WebP, at most 10 MiB, 64 to 4096 pixels a side.',
    body: ImageEditBody,
    errors: jobsRpc.quote.errors,
  })
  async create(@CurrentJobPost() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    const { job, replayed } = await this.createImageEdit.execute(post);
    return answerCreated(reply, { job: await this.waits.apply(reply, job), replayed });
  }
}
