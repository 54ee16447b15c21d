import { sniffMime } from '@kinora/images';
import type { ProviderTask, VideoTask } from '../compute-provider.port';
import { type FormBody, type FormPart, toFormBody } from '../http/multipart';
import type { OpenAiImagesSettings } from './openai-images-settings';

type Fields = Record<string, string | number | undefined>;

/**
 * The fields of every task, with the names that vLLM-Omni and SGLang share. The seed is always sent, because SGLang's default
 * is a constant 1024.
 */
export function toCommonFields(task: ProviderTask): Fields {
  return {
    model: task.template,
    prompt: task.prompt,
    negative_prompt: task.negativePrompt,
    size: toSize(task),
    seed: task.seed,
  };
}

/** The additional fields of an image, with the names that vLLM-Omni and SGLang share. */
export function toImageFields(task: ProviderTask, { guidance_field: field }: OpenAiImagesSettings): Fields {
  if (task.operation === 'video.generation') return {};
  const { n, steps, guidance } = task;
  return { n, num_inference_steps: steps, [field]: guidance, output_format: 'png' };
}

/** Both frames and speed are sent: without one of them, servers use a frame rate of their own. */
export function toVideoFields(task: VideoTask, settings: OpenAiImagesSettings): Fields {
  const { durationSeconds, fps } = task;
  return { seconds: String(durationSeconds), fps, num_frames: countFrames(task, settings) };
}

export function countFrames(
  { durationSeconds, fps }: VideoTask,
  { extra_frame: hasExtra }: OpenAiImagesSettings,
): number {
  return Math.round(durationSeconds * fps) + (hasExtra ? 1 : 0);
}

/** The separator must be `x`: LocalAI replaces any other format by 512x512. */
export function toSize({ width, height }: ProviderTask): string {
  return `${width}x${height}`;
}

export function toForm(fields: Fields, imageField: string, images: Buffer[]): FormBody {
  const texts = Object.entries(fields).flatMap(([name, value]): FormPart[] =>
    value === undefined ? [] : [{ name, value: String(value) }],
  );
  return toFormBody([...texts, ...images.map((bytes, index) => toFilePart(imageField, bytes, index))]);
}

function toFilePart(name: string, value: Buffer, index: number): FormPart {
  const contentType = sniffMime(value) ?? 'application/octet-stream';
  return { name, value, contentType, filename: `image-${index}.${contentType.split('/')[1]}` };
}
