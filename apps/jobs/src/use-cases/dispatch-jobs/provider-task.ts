import type { ProviderTask, TaskLora } from '@kinora/compute';
import type { JobRow } from '../../job/job.entity';
import { toTaskFacts } from '../../job/task-facts';

/** The parts of a task that belong to the attempt. */
export interface TaskParts {
  id: string;
  images: Buffer[];
  /** The LoRAs of the job, with their files if the instance shares a folder. */
  loras: TaskLora[];
  template: string | undefined;
  callbackUrl: string | undefined;
}

/** A job as the task for a provider; the prompt is the client's, byte for byte. */
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
