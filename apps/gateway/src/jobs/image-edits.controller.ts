import { Controller, Post, Res } from '@nestjs/common';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type FastifyReply } from 'fastify';
import { Door } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { CreateImageEdit } from './create-image-edit.use-case';
import { answerCreated } from './created-job';
import { type JobPost, Posted } from './job-post.decorator';

@Controller('images/edits')
export class ImageEditsController {
  constructor(private readonly createImageEdit: CreateImageEdit) {}

  /** Three images of 13,981,078 characters make the body so large. */
  @Post()
  @Door({ takesJson: true, bodyMaxBytes: 43_000_000, timeoutMs: 25_000 })
  @Operation({
    operationId: 'createImageEdit',
    tag: 'Jobs',
    summary: 'Edit an image as told',
    description:
      'Takes one to three reference images: PNG, JPEG or WebP of at most 10 MiB, each side 64 to 4096 pixels.',
    answers: {
      200: 'The job has finished already, or the Idempotency-Key is known and this is its job.',
      202: 'The job is accepted and in flight.',
    },
    body: ImageEditBody,
    idempotent: true,
    errors: [...jobsRpc.findReplay.errors, ...jobsRpc.quote.errors, ...jobsRpc.create.errors],
  })
  async create(@Posted() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    return answerCreated(reply, await this.createImageEdit.execute(post));
  }
}
