import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { JobCreations } from './job-creations';
import { type JobPost, assertMayCreateJobs, toClientInput, toCommonFields, toIdempotency } from './job-post';
import { assertPublicUrls } from './public-urls';

/** POST /images/generations, with the gateway's part of the checks in order (decisions: Order of checks). */
@Injectable()
export class CreateImageGeneration {
  constructor(
    private readonly bus: Bus,
    private readonly egressAllow: EgressAllowList,
    private readonly creations: JobCreations,
  ) {}

  async execute(post: JobPost): Promise<CreateJobReply> {
    const { account_id } = post.caller;
    const idempotency = toIdempotency(post);
    const replay = idempotency && (await this.bus.request(jobsRpc.findReplay, { account_id, idempotency }));
    if (replay?.job) return { job: replay.job, replayed: true };
    assertMayCreateJobs(post, 'image.generation');
    const body = readBodyAs(ImageGenerationBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const common = toCommonFields(body, post, idempotency);
    return this.creations.create({ kind: 'image.generation', input: toClientInput(body), ...common });
  }
}
