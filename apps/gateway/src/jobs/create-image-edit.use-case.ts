import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { toImageSources } from '../image-input/image-source';
import { type JobPost, assertMayCreateJobs, toClientInput, toCommonFields, toIdempotency, toPayer } from './job-post';
import { JobsWithImages } from './jobs-with-images';
import { assertPublicUrls } from './public-urls';

/** POST /images/edits, with the gateway's part of the checks in order (decisions: Order of checks). */
@Injectable()
export class CreateImageEdit {
  constructor(
    private readonly bus: Bus,
    private readonly egressAllow: EgressAllowList,
    private readonly jobs: JobsWithImages,
  ) {}

  async execute(post: JobPost): Promise<CreateJobReply> {
    const { account_id } = post.caller;
    const idempotency = toIdempotency(post);
    const replay = idempotency && (await this.bus.request(jobsRpc.findReplay, { account_id, idempotency }));
    if (replay?.job) return { job: replay.job, replayed: true };
    assertMayCreateJobs(post, 'image.edit');
    const body = readBodyAs(ImageEditBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const sources = toImageSources(body);
    const job = { kind: 'image.edit', input: toClientInput(body) } as const;
    const common = toCommonFields(body, post, idempotency);
    await this.bus.request(jobsRpc.quote, { ...job, image_count: sources.length, ...toPayer(post) });
    return this.jobs.create(account_id, sources, (images) => ({ ...job, images, ...common }));
  }
}
