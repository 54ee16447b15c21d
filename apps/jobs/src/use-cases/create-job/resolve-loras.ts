import { ApiError } from '@kinora/contracts/shared/errors';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { LoraInput } from '@kinora/contracts/jobs/job-inputs';
import type { JobPlan } from '../../job/job.row';

/** Decisions: "strength defaults to the catalog's default, or 0.8". */
const DEFAULT_STRENGTH = 0.8;

/** What each LoRA of an image job comes to. @throws ApiError invalid_body for one that this model does not take. */
export function resolveLoras(loras: LoraInput[] | undefined, model: ResolvedModel): JobPlan['loras'] {
  return (loras ?? []).map((lora, index) => resolveLora(lora, `loras[${index}]`, model));
}

function resolveLora(lora: LoraInput, param: string, model: ResolvedModel): JobPlan['loras'][number] {
  const { id, url, low_url: lowUrl } = lora;
  if ((id === undefined) === (url === undefined)) throw refusal(param, 'Give exactly one of id and url.');
  if (lowUrl !== undefined) throw refusal(`${param}.low_url`, 'Only video jobs take a low-noise file.');
  if (id === undefined) {
    if (model.capabilities.loras !== 'url')
      throw refusal(`${param}.url`, 'This model takes LoRAs of the catalog only.');
    return { ...lora, strength: lora.strength ?? DEFAULT_STRENGTH };
  }
  const known = model.loras.find((candidate) => candidate.id === id);
  if (!known) throw refusal(`${param}.id`, 'There is no such LoRA for this model.');
  return { ...lora, strength: lora.strength ?? known.default_strength };
}

function refusal(param: string, message: string): ApiError {
  return new ApiError('invalid_body', message, { param });
}
