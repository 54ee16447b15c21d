import { parseSize } from '../model/image-size';
import type { TaskFacts } from '../providers/compute-provider.port';
import { withAgeSafetyTerms } from './age-safety';
import type { JobRow } from './job.row';

/** What a provider will be told of a job, as far as it is known before its images are read; `id` is the attempt's. */
export function toTaskFacts(
  { id: jobId, kind, model, input, plan, images }: Pick<JobRow, 'id' | 'kind' | 'model' | 'input' | 'plan' | 'images'>,
  id: string,
): TaskFacts {
  const size = parseSize(input.size);
  if (!size) throw new Error(`Job ${jobId} has no size`);
  const facts = {
    id,
    model,
    prompt: input.prompt ?? '',
    negativePrompt: withAgeSafetyTerms(input.negative_prompt),
    width: size.width,
    height: size.height,
    seed: input.seed,
    loras: plan.loras,
    imageCount: images.length,
  };
  if ('duration' in input) {
    if (plan.fps === undefined) throw new Error(`Job ${jobId} has no fps`);
    return Object.assign(facts, {
      operation: 'video.generation',
      durationSeconds: input.duration,
      fps: plan.fps,
    } as const);
  }
  if (kind !== 'image.generation' && kind !== 'image.edit')
    throw new Error(`Job ${jobId} is of a kind that no provider runs yet`);
  const { steps, guidance } = 'steps' in input || 'guidance' in input ? input : {};
  return Object.assign(
    facts,
    { operation: kind, n: input.n },
    steps === undefined ? {} : { steps },
    guidance === undefined ? {} : { guidance },
  );
}
