import type { ProviderTask, TaskLora } from '@kinora/compute';
import type { JobRow } from '../../job/job.entity';
import { toTaskFacts } from '../../job/task-facts';

/** What an attempt adds to its job. */
export interface TaskParts {
  id: string;
  images: Buffer[];
  /** Those of the job, with their files where the instance is given some. */
  loras: TaskLora[];
  template: string | undefined;
  callbackUrl: string | undefined;
}

/** A job as a provider gets it; the prompt is the client's, byte for byte. */
export function toProviderTask(job: JobRow, { id, images, loras, template, callbackUrl }: TaskParts): ProviderTask {
  const { imageCount: _, ...facts } = toTaskFacts(job, id);
  return {
    ...facts,
    images,
    loras,
    ...(template === undefined ? {} : { template }),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  };
}
