import { Injectable } from '@nestjs/common';
import type { StoredImage } from '@kinora/contracts/jobs/job';
import type { CreateJobReply, CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ImageInput } from '../image-input/image-input.service';
import { type ImageSource, isRemote } from '../image-input/image-source';
import { OwnFiles } from '../image-input/own-files';
import { remoteRefusal } from '../image-input/read-images';
import { JobCreations } from './job-creations';

/**
 * Creates jobs whose images come with the request. The images are stored first, and deleted if the job was certainly not
 * created.
 */
@Injectable()
export class JobsWithImages {
  constructor(
    private readonly creations: JobCreations,
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
      const reply = await this.creations.create(toRequest(images));
      if (reply.replayed) await this.imageInput.discard(images);
      return reply;
    } catch (error) {
      if (isRefusal(error)) await this.imageInput.discard(images);
      throw asRemoteRefusal(error, sources);
    }
  }
}

/**
 * Moderation is the first to decode an image. One that was fetched is then refused in the words for fetched images (decisions:
 * Remote images).
 */
function asRemoteRefusal(error: unknown, sources: ImageSource[]): unknown {
  if (!(error instanceof ApiError) || error.code !== 'invalid_body') return error;
  const source = sources.find(({ param }) => param === error.param);
  return source && isRemote(source) ? remoteRefusal(source, 'not an image') : error;
}

/** Whether the job was certainly not created. After a timeout it may exist, and would miss its images. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
