import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { assertMayCreateJobs } from './job-permission';
import { toImageGenerationRequest } from './create-job-request';
import { toIdempotency } from './idempotency';
import type { JobPost } from './job-post.decorator';
import { assertPublicUrls } from './public-urls';
import { Replays } from './replays';

/** POST /images/generations, with the gateway's part of the checks in order (decisions: Order of checks). */
@Injectable()
export class CreateImageGeneration {
  constructor(
    private readonly bus: Bus,
    private readonly replays: Replays,
    private readonly egressAllow: EgressAllowList,
  ) {}

  async execute(post: JobPost): Promise<CreateJobReply> {
    const idempotency = toIdempotency(post);
    const replay = idempotency && (await this.replays.find(post.caller, idempotency));
    if (replay) return replay;
    assertMayCreateJobs(post, 'image.generation');
    const body = readBodyAs(ImageGenerationBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    return this.bus.request(jobsRpc.create, toImageGenerationRequest(body, post.caller, idempotency));
  }
}
