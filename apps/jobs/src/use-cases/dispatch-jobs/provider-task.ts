import type { JobRow } from '../../job/job.row';
import { toTaskFacts } from '../../job/task-facts';
import type { ProviderTask } from '../../providers/compute-provider.port';

/** A job as a provider gets it; the prompt is the client's, byte for byte. */
export function toProviderTask(
  job: JobRow,
  id: string,
  images: Buffer[],
  callbackUrl: string | undefined,
): ProviderTask {
  const { imageCount: _, ...facts } = toTaskFacts(job, id);
  return { ...facts, images, ...(callbackUrl === undefined ? {} : { callbackUrl }) };
}
