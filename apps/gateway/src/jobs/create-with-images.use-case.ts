import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { StoredImage } from '@kinora/contracts/jobs/job';
import { type CreateJobReply, type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { ApiError } from '@kinora/contracts/shared/errors';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { ImageInput } from '../image-input/image-input.service';
import { type ImageSource, toImageSources } from '../image-input/image-source';
import { OwnFiles } from '../image-input/own-files';
import { asRemoteRefusal } from '../image-input/read-images';
import { JobCreations } from './job-creations';
import { type JobPost, assertMayCreateJobs, toClientInput, toCommonFields, toIdempotency, toPayer } from './job-post';
import { assertPublicUrls } from './public-urls';

/**
 * Creates jobs whose images come with the request, with the gateway's part of the checks in order (decisions: Order of checks). The
 * images are stored first, and deleted if the job was certainly not created.
 */
@Injectable()
export class CreateWithImages {
  constructor(
    private readonly bus: Bus,
    private readonly egressAllow: EgressAllowList,
    private readonly creations: JobCreations,
    private readonly imageInput: ImageInput,
    private readonly ownFiles: OwnFiles,
  ) {}

  async edit(post: JobPost): Promise<CreateJobReply> {
    const idempotency = toIdempotency(post);
    const replay = await this.creations.findReplay(post.caller.account_id, idempotency);
    if (replay) return replay;
    assertMayCreateJobs(post, 'image.edit');
    const body = readBodyAs(ImageEditBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const sources = toImageSources(body);
    const job = { kind: 'image.edit', input: toClientInput(body) } as const;
    const common = toCommonFields(body, post, idempotency);
    await this.bus.request(jobsRpc.quote, { ...job, image_count: sources.length, ...toPayer(post) });
    return this.create(common.account_id, sources, (images) => ({ ...job, images, ...common }));
  }

  async animate(post: JobPost, wanted: { wanted_size?: string } = {}): Promise<CreateJobReply> {
    const idempotency = toIdempotency(post);
    const replay = await this.creations.findReplay(post.caller.account_id, idempotency);
    if (replay) return replay;
    assertMayCreateJobs(post, 'video.generation');
    const body = readBodyAs(VideoGenerationBody, post.body.value);
    assertPublicUrls(body, this.egressAllow);
    const job = { kind: 'video.generation', input: toClientInput(body) } as const;
    await this.bus.request(jobsRpc.quote, { ...job, image_count: 1, ...toPayer(post) });
    const common = toCommonFields(body, post, idempotency);
    const startFrame = { param: 'image', content: body.image };
    return this.create(common.account_id, [startFrame], (images) => ({ ...job, ...wanted, images, ...common }));
  }

  private async create(
    accountId: string,
    sources: ImageSource[],
    toRequest: (images: StoredImage[]) => CreateJobRequest,
  ): Promise<CreateJobReply> {
    const images = await this.imageInput.store(await this.ownFiles.read(sources), accountId);
    try {
      const reply = await this.creations.create(toRequest(images));
      if (reply.replayed) await this.imageInput.discard(images);
      return reply;
    } catch (error) {
      // After a timeout the job may exist, and would miss its images.
      if (error instanceof ApiError && error.status < 500) await this.imageInput.discard(images);
      throw asRemoteRefusal(error, sources);
    }
  }
}
