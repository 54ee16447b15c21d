import { Controller, Post, Res } from '@nestjs/common';
import type { Job } from '@kinora/contracts/jobs/job';
import { type FastifyReply } from 'fastify';
import { Door } from '../http/route-policy';
import { CreateImageEdit } from './create-image-edit.use-case';
import { answerCreated } from './created-job';
import { type JobPost, Posted } from './job-post.decorator';

@Controller('images/edits')
export class ImageEditsController {
  constructor(private readonly createImageEdit: CreateImageEdit) {}

  /** Three images of 13,981,078 characters make the body so large. */
  @Post()
  @Door({ takesJson: true, bodyMaxBytes: 43_000_000, timeoutMs: 25_000 })
  async create(@Posted() post: JobPost, @Res({ passthrough: true }) reply: FastifyReply): Promise<Job> {
    return answerCreated(reply, await this.createImageEdit.execute(post));
  }
}
