import type { StoredImage } from '@kinora/contracts/jobs/job-inputs';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';

/** The images that came with a request; a text-to-image job has none. */
export function inputImages(request: CreateJobRequest): StoredImage[] {
  return request.kind === 'image.generation' ? [] : request.images;
}
