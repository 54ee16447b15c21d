import { ageSafetyTermsFirst } from '../instance-definition';
import type { ProviderTask, VideoTask } from '../compute-provider.port';
import type { Dialect, OpenAiImagesSettings, Work } from './openai-images-settings';
import { countFrames, toSize } from './form-fields';

/** LocalAI splits an image's prompt here: prompt, negative prompt; the rest is lost. */
const SEPARATOR = '|';

export const localAiDialect: Dialect = {
  healthPaths: ['/v1/models'],
  stopsVideosBy: 'delete',

  findUnsupported(task) {
    if (task.loras.length > 0) return 'LocalAI takes LoRAs from the files of its models only.';
    if (task.operation === 'video.generation') return null;
    if (task.prompt.includes(SEPARATOR)) return 'LocalAI would cut the prompt at its |.';
    return task.guidance === undefined ? null : 'LocalAI takes the guidance from the files of its models only.';
  },

  toWork(task, settings): Work {
    return task.operation === 'video.generation'
      ? { path: '/video', answersWith: 'result', json: toVideoBody(task, settings) }
      : { path: '/v1/images/generations', answersWith: 'result', json: toImageBody(task) };
  },
};

function toImageBody(task: Exclude<ProviderTask, VideoTask>): Record<string, unknown> {
  const unwanted = ageSafetyTermsFirst(task.negativePrompt).replaceAll(SEPARATOR, ' ');
  return {
    model: task.template ?? task.model,
    prompt: task.prompt + SEPARATOR + unwanted,
    size: toSize(task),
    n: task.n,
    seed: task.seed,
    step: task.steps,
    response_format: 'b64_json',
    // Bare base64, because LocalAI logs and ignores a data URI, and the edit would run without its image.
    ref_images: task.images.length === 0 ? undefined : task.images.map((bytes) => bytes.toString('base64')),
  };
}

function toVideoBody(task: VideoTask, settings: OpenAiImagesSettings): Record<string, unknown> {
  const { width, height, seed, fps, durationSeconds } = task;
  return {
    model: task.template ?? task.model,
    prompt: task.prompt,
    negative_prompt: task.negativePrompt,
    start_image: task.images[0]?.toString('base64'),
    width,
    height,
    size: toSize(task),
    num_frames: countFrames(task, settings),
    fps,
    seconds: String(durationSeconds),
    seed,
    response_format: 'b64_json',
  };
}
