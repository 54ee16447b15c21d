import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ProviderTask, TaskFacts } from '../compute-provider.port';
import type { Dialect, OpenAiImagesSettings, Work } from './openai-images-settings';
import { toCommonFields, toForm, toImageFields, toVideoFields } from './form-fields';

const MAX_N = 10;
const MAX_STEPS = 200;
const MAX_GUIDANCE = 20;

export const vllmOmniDialect: Dialect = {
  healthPaths: ['/health', '/v1/models'],
  stopsVideosBy: 'delete',

  findUnsupported(task, settings) {
    return findLimitProblem(task) ?? findLoraProblem(task, settings);
  },

  toWork(task, settings): Work {
    const fields = { ...toCommonFields(task), ...toImageFields(task, settings) };
    const lora = toLora(task, settings);
    if (task.operation === 'video.generation') {
      const ofVideo = { ...fields, ...toVideoFields(task, settings), lora: lora && JSON.stringify(lora) };
      return { path: '/v1/videos', answersWith: 'video_job', form: toForm(ofVideo, 'input_reference', task.images) };
    }
    if (task.operation === 'image.edit')
      return { path: '/v1/images/edits', answersWith: 'result', form: toForm(fields, 'image', task.images) };
    const json = { ...fields, lora, response_format: 'b64_json' };
    return { path: '/v1/images/generations', answersWith: 'result', json };
  },
};

function findLimitProblem(task: TaskFacts): string | null {
  if (task.operation === 'video.generation') return null;
  const { n, steps, guidance } = task;
  if (n > MAX_N) return `vLLM-Omni makes at most ${MAX_N} images at once.`;
  if (steps !== undefined && steps > MAX_STEPS) return `vLLM-Omni takes at most ${MAX_STEPS} steps.`;
  if (guidance !== undefined && guidance > MAX_GUIDANCE)
    return `vLLM-Omni takes a guidance of at most ${MAX_GUIDANCE}.`;
  return null;
}

/** A pair for high and low noise can only be set when the server starts, and edits have no field for a LoRA. */
function findLoraProblem({ loras, operation }: TaskFacts, { lora_dir: dir }: OpenAiImagesSettings): string | null {
  const [lora] = loras;
  if (!lora) return null;
  if (operation === 'image.edit') return 'vLLM-Omni edits without LoRAs.';
  if (loras.length > 1 || lora.low_url !== undefined || lora.low_file !== undefined)
    return 'vLLM-Omni takes one LoRA for a request.';
  return lora.id !== undefined && dir !== undefined
    ? null
    : "vLLM-Omni takes a LoRA of the catalog only, from the server's lora_dir.";
}

function toLora({ loras: [lora] }: ProviderTask, { lora_dir: dir }: OpenAiImagesSettings): object | undefined {
  if (lora?.id === undefined || dir === undefined) return undefined;
  const number = createHash('sha256').update(lora.id).digest().readUInt32BE() >>> 1;
  return { name: lora.id, path: path.posix.join(dir, lora.id), scale: lora.strength, int_id: number };
}
