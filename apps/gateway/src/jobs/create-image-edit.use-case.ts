import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { type CreateJobReply, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { toImageSources } from '../image-input/image-source';
import { type JobPost, assertMayCreateJobs, toCommonFields, toIdempotency } from './job-post';
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
    const { account_id, api_key_id } = post.caller;
    const idempotency = toIdempotency(post);
    const replay = idempotency && (await this.bus.request(jobsRpc.findReplay, { account_id, idempotency }));
    if (replay?.job) return { job: replay.job, replayed: true };
    assertMayCreateJobs(post, 'image.edit');
    const body = readBodyAs(ImageEditBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const sources = toImageSources(body);
    const { image: _image, images: _images, webhook_url: _url, metadata: _metadata, ...input } = body;
    const job = { kind: 'image.edit', input } as const;
    await this.bus.request(jobsRpc.quote, { ...job, image_count: sources.length, account_id, api_key_id });
    const common = toCommonFields(body, post, idempotency);
    return this.jobs.create(account_id, sources, (images) => ({ ...job, images, ...common }));
  }
}
