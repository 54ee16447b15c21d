import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { type JobPost, assertMayCreateJobs, toClientInput, toCommonFields, toIdempotency, toPayer } from './job-post';
import { JobsWithImages } from './jobs-with-images';
import { assertPublicUrls } from './public-urls';

/** POST /videos/generations, with the gateway's part of the checks in order (decisions: Order of checks). */
@Injectable()
export class CreateVideoGeneration {
  constructor(
    private readonly bus: Bus,
    private readonly egressAllow: EgressAllowList,
    private readonly jobs: JobsWithImages,
  ) {}

  async execute(post: JobPost, wanted: { wanted_size?: string } = {}): Promise<CreateJobReply> {
    const { account_id } = post.caller;
    const idempotency = toIdempotency(post);
    const replay = idempotency && (await this.bus.request(jobsRpc.findReplay, { account_id, idempotency }));
    if (replay?.job) return { job: replay.job, replayed: true };
    assertMayCreateJobs(post, 'video.generation');
    const body = readBodyAs(VideoGenerationBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const job = { kind: 'video.generation', input: toClientInput(body) } as const;
    await this.bus.request(jobsRpc.quote, { ...job, image_count: 1, ...toPayer(post) });
    const common = toCommonFields(body, post, idempotency);
    const startFrame = { param: 'image', content: body.image };
    return this.jobs.create(account_id, [startFrame], (images) => ({ ...job, ...wanted, images, ...common }));
  }
}
