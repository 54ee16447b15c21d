import { type TaskChoice, type TaskFacts, withAgeSafetyTerms } from '@kinora/compute';
import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { parseSize } from '../model/size';
import type { JobRow } from './job.entity';

type RequestField = keyof ImageGenerationBody | keyof ImageEditBody | keyof VideoGenerationBody;

/**
 * The parts of a task that each field of a request becomes, or the reason why it becomes none. A missing field is a compile
 * error, so every choice of a client reaches the model.
 */
export const CHOICES_BY_FIELD = {
  prompt: ['prompt'],
  negative_prompt: ['negativePrompt'],
  size: ['width', 'height'],
  aspect_ratio: ['width', 'height'],
  image: ['images'],
  images: ['images'],
  n: ['n'],
  seed: ['seed'],
  steps: ['steps'],
  guidance: ['guidance'],
  loras: ['loras'],
  duration: ['durationSeconds'],
  model: { ofNoTask: 'It chooses the routes, and with them the template.' },
  output_format: { ofNoTask: 'Kinora encodes the file itself.' },
  webhook_url: { ofNoTask: 'It receives the terminal event.' },
  metadata: { ofNoTask: 'It is only returned to the client.' },
} as const satisfies Record<RequestField, readonly TaskChoice[] | { ofNoTask: string }>;

/** The task for a provider, as far as it is known before the images are read; `id` is the attempt's. */
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
    throw new Error(`Job ${jobId} has the kind ${kind}, which no provider runs`);
  const { steps, guidance } = 'steps' in input || 'guidance' in input ? input : {};
  return Object.assign(
    facts,
    { operation: kind, n: input.n },
    steps === undefined ? {} : { steps },
    guidance === undefined ? {} : { guidance },
  );
}
