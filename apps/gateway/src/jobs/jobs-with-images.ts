import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { StoredImage } from '@kinora/contracts/jobs/job';
import { type CreateJobReply, type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ImageInput } from '../image-input/image-input.service';
import type { ImageSource } from '../image-input/image-source';
import { OwnFiles } from '../image-input/own-files';

/**
 * Creates jobs whose images come with the request. The images are stored first, and deleted if the job was certainly not
 * created.
 */
@Injectable()
export class JobsWithImages {
  constructor(
    private readonly bus: Bus,
    private readonly imageInput: ImageInput,
    private readonly ownFiles: OwnFiles,
  ) {}

  async create(
    accountId: string,
    sources: ImageSource[],
    toRequest: (images: StoredImage[]) => CreateJobRequest,
  ): Promise<CreateJobReply> {
    const images = await this.imageInput.store(await this.ownFiles.read(sources), accountId);
    try {
      const reply = await this.bus.request(jobsRpc.create, toRequest(images));
      if (reply.replayed) await this.imageInput.discard(images);
      return reply;
    } catch (error) {
      if (isRefusal(error)) await this.imageInput.discard(images);
      throw error;
    }
  }
}

/** Whether the job was certainly not created. After a timeout it may exist, and would miss its images. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
