import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { toImageSources } from '../image-input/image-source';
import { assertMayCreateJobs } from './job-permission';
import { payerOf, toImageEditRequest, toImageEditWish } from './create-job-request';
import { toIdempotency } from './idempotency';
import type { JobPost } from './job-post.decorator';
import { JobsWithImages } from './jobs-with-images';
import { assertPublicUrls } from './public-urls';
import { Replays } from './replays';

/** POST /images/edits, with the gateway's part of the checks in order (decisions: Order of checks). */
@Injectable()
export class CreateImageEdit {
  constructor(
    private readonly bus: Bus,
    private readonly replays: Replays,
    private readonly egressAllow: EgressAllowList,
    private readonly jobs: JobsWithImages,
  ) {}

  async execute(post: JobPost): Promise<CreateJobReply> {
    const idempotency = toIdempotency(post);
    const replay = idempotency && (await this.replays.find(post.caller, idempotency));
    if (replay) return replay;
    assertMayCreateJobs(post, 'image.edit');
    const body = readBodyAs(ImageEditBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const sources = toImageSources(body);
    const wish = { kind: 'image.edit', input: toImageEditWish(body), image_count: sources.length } as const;
    await this.bus.request(jobsRpc.quote, { ...wish, ...payerOf(post) });
    return this.jobs.create(post.caller, sources, (images) =>
      toImageEditRequest(body, images, post.caller, idempotency),
    );
  }
}
