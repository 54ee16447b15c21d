import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { StoredImage } from '@kinora/contracts/jobs/job-inputs';
import { type CreateJobReply, type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { ImageInput } from '../image-input/image-input.service';
import { toImageSources } from '../image-input/image-source';
import { assertMayCreateJobs } from './job-permission';
import { toImageEditRequest, toImageEditWish } from './create-job-request';
import { toIdempotency } from './idempotency';
import type { JobPost } from './job-post.decorator';
import { assertPublicUrls } from './public-urls';
import { Replays } from './replays';

/** POST /images/edits, in the decisions' order of checks; jobs makes the rest of them. */
@Injectable()
export class CreateImageEdit {
  constructor(
    private readonly bus: Bus,
    private readonly replays: Replays,
    private readonly egressAllow: EgressAllowList,
    private readonly imageInput: ImageInput,
  ) {}

  async execute(post: JobPost): Promise<CreateJobReply> {
    const idempotency = toIdempotency(post);
    const replay = await this.replays.find(post.caller, idempotency);
    if (replay) return replay;
    assertMayCreateJobs(post, 'image.edit');
    const body = readBodyAs(ImageEditBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const sources = toImageSources(body);
    const wish = { kind: 'image.edit', input: toImageEditWish(body), image_count: sources.length } as const;
    await this.bus.request(jobsRpc.quote, wish);
    const images = await this.imageInput.store(sources);
    return this.create(toImageEditRequest(body, images, post.caller, idempotency), images);
  }

  private async create(request: CreateJobRequest, images: StoredImage[]): Promise<CreateJobReply> {
    try {
      const reply = await this.bus.request(jobsRpc.create, request);
      if (reply.replayed) await this.imageInput.discard(images);
      return reply;
    } catch (error) {
      if (isRefusal(error)) await this.imageInput.discard(images);
      throw error;
    }
  }
}

/** Whether the job certainly is not there. After silence it may be, and would miss its images. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
