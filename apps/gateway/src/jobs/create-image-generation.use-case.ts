import { Injectable } from '@nestjs/common';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { CreateJobReply, CreateJobRequest, Idempotency } from '@kinora/contracts/jobs/jobs.rpc';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { JobCreations } from './job-creations';
import { type JobPost, assertMayCreateJobs, toClientInput, toCommonFields, toIdempotency } from './job-post';
import { assertPublicUrls } from './public-urls';

/** POST /images/generations, with the gateway's part of the checks in order (decisions: Order of checks). */
@Injectable()
export class CreateImageGeneration {
  constructor(
    private readonly egressAllow: EgressAllowList,
    private readonly creations: JobCreations,
  ) {}

  async execute(post: JobPost): Promise<CreateJobReply> {
    const idempotency = toIdempotency(post);
    let request: CreateJobRequest;
    try {
      request = this.toRequest(post, idempotency);
    } catch (refusal) {
      // A replay comes before every refusal here. Otherwise jobs finds the replay when it claims the key.
      const replay = await this.creations.findReplay(post.caller.account_id, idempotency);
      if (replay) return replay;
      throw refusal;
    }
    return this.creations.create(request);
  }

  private toRequest(post: JobPost, idempotency: Idempotency | undefined): CreateJobRequest {
    assertMayCreateJobs(post, 'image.generation');
    const body = readBodyAs(ImageGenerationBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    return { kind: 'image.generation', input: toClientInput(body), ...toCommonFields(body, post, idempotency) };
  }
}
