import { withAgeSafetyTerms } from '../../job/age-safety';
import type { ImageJobRow, JobRow, VideoJobRow } from '../../job/job.row';
import { parseSize } from '../../model/image-size';
import type { PictureTask, ProviderTask, VideoTask } from '../../providers/compute-provider.port';

/** A job as a provider gets it; the prompt is the client's, byte for byte. */
export function toProviderTask(
  job: JobRow,
  id: string,
  images: Buffer[],
  callbackUrl: string | undefined,
): ProviderTask {
  const { input, plan } = job;
  const size = parseSize(input.size);
  if (!size) throw new Error(`Job ${job.id} has no size`);
  return {
    id,
    model: job.model,
    prompt: input.prompt ?? '',
    negativePrompt: withAgeSafetyTerms(input.negative_prompt),
    ...size,
    seed: input.seed,
    loras: plan.loras,
    images,
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(job.kind === 'video.generation' ? videoPart(job) : picturePart(job)),
  };
}

function picturePart({ id, kind, input }: ImageJobRow): Pick<PictureTask, 'operation' | 'n' | 'steps' | 'guidance'> {
  if (kind !== 'image.generation' && kind !== 'image.edit')
    throw new Error(`Job ${id} is of a kind that no provider runs yet`);
  const { steps, guidance } = 'steps' in input || 'guidance' in input ? input : {};
  return {
    operation: kind,
    n: input.n,
    ...(steps === undefined ? {} : { steps }),
    ...(guidance === undefined ? {} : { guidance }),
  };
}

function videoPart({ id, input, plan }: VideoJobRow): Pick<VideoTask, 'operation' | 'durationSeconds' | 'fps'> {
  if (plan.fps === undefined) throw new Error(`Job ${id} has no fps`);
  return { operation: 'video.generation', durationSeconds: input.duration, fps: plan.fps };
}
