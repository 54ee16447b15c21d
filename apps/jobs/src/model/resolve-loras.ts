import { ApiError } from '@kinora/contracts/shared/errors';
import type { LoraFiles, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { LoraInput } from '@kinora/contracts/jobs/job';

/** The strength if neither the request nor the catalog names one (decisions: LoRAs). */
const DEFAULT_STRENGTH = 0.8;

/** A LoRA with its strength resolved; the input keeps the strength as the client sent it. */
export type PlannedLora = { id?: string; strength: number } & LoraFiles;

/** Resolves the LoRAs of an image job. @throws ApiError invalid_body for one that this model does not take. */
export function resolveLoras(loras: LoraInput[] = [], model: ResolvedModel): PlannedLora[] {
  return loras.map((lora, index) => {
    const param = `loras[${index}]`;
    if (lora.low_url !== undefined) throw refusal(`${param}.low_url`, 'Only video jobs take a low-noise file.');
    return resolveLora(lora, param, model);
  });
}

/** Resolves the LoRAs of a video: a file for each of the two experts, or one file for both. @throws ApiError invalid_body */
export function resolveVideoLoras(loras: LoraInput[] = [], model: ResolvedModel): PlannedLora[] {
  return loras.map((lora, index) => {
    const { url, low_url: lowUrl = url } = lora;
    const param = `loras[${index}]`;
    if (url === undefined && lowUrl !== undefined) throw refusal(`${param}.low_url`, 'A low-noise file needs url.');
    return { ...resolveLora(lora, param, model), ...(lowUrl === undefined ? {} : { low_url: lowUrl }) };
  });
}

function resolveLora(lora: LoraInput, param: string, model: ResolvedModel): PlannedLora {
  const { id, url } = lora;
  if ((id === undefined) === (url === undefined)) throw refusal(param, 'Give exactly one of id and url.');
  if (id === undefined) {
    if (model.capabilities.loras !== 'url')
      throw refusal(`${param}.url`, 'This model takes LoRAs of the catalog only.');
    return { ...lora, strength: lora.strength ?? DEFAULT_STRENGTH };
  }
  const known = model.loras.find((candidate) => candidate.id === id);
  if (!known) throw refusal(`${param}.id`, 'There is no such LoRA for this model.');
  const { default_strength: defaultStrength, ...files } = known;
  return { ...files, strength: lora.strength ?? defaultStrength };
}

function refusal(param: string, message: string): ApiError {
  return new ApiError('invalid_body', message, { param });
}
