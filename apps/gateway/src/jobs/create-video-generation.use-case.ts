import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { assertMayCreateJobs } from './job-permission';
import { payerOf, toVideoGenerationRequest, toVideoGenerationWish } from './create-job-request';
import { toIdempotency } from './idempotency';
import type { JobPost } from './job-post.decorator';
import { JobsWithImages } from './jobs-with-images';
import { assertPublicUrls } from './public-urls';
import { Replays } from './replays';

/** POST /videos/generations, with the gateway's part of the checks in order (decisions: Order of checks). */
@Injectable()
export class CreateVideoGeneration {
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
    assertMayCreateJobs(post, 'video.generation');
    const body = readBodyAs(VideoGenerationBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const wish = { kind: 'video.generation', input: toVideoGenerationWish(body), image_count: 1 } as const;
    await this.bus.request(jobsRpc.quote, { ...wish, ...payerOf(post) });
    const startFrame = { param: 'image', content: body.image };
    return this.jobs.create(post.caller, [startFrame], (images) =>
      toVideoGenerationRequest(body, images, post.caller, idempotency),
    );
  }
}
