import type { JobInput } from '@kinora/contracts/jobs/job-inputs';
import { withAgeSafetyTerms } from '../../job/age-safety';
import type { JobRow } from '../../job/job.row';
import { parseSize } from '../../model/image-size';
import type { ProviderTask } from '../../providers/compute-provider.port';

/** A job as a provider gets it; the prompt is the client's, byte for byte. */
export function toProviderTask(job: JobRow, upstreamId: string, images: Buffer[]): ProviderTask {
  const { input } = job;
  const size = parseSize(input.size);
  if (!size) throw new Error(`Job ${job.id} has no size`);
  return {
    upstreamId,
    operation: operationOf(job),
    prompt: input.prompt,
    negativePrompt: withAgeSafetyTerms(input.negative_prompt),
    ...size,
    n: input.n,
    seed: input.seed,
    ...optional(input),
    loras: job.plan.loras,
    images,
  };
}

function operationOf({ id, kind }: JobRow): ProviderTask['operation'] {
  if (kind === 'image.generation' || kind === 'image.edit') return kind;
  throw new Error(`Job ${id} is of a kind that no provider runs yet`);
}

function optional(input: JobInput): Pick<ProviderTask, 'steps' | 'guidance'> {
  const { steps, guidance } = 'steps' in input || 'guidance' in input ? input : {};
  return { ...(steps === undefined ? {} : { steps }), ...(guidance === undefined ? {} : { guidance }) };
}
