import type { VideoLoraBody } from '@kinora/contracts/jobs/job.body';
import { type EgressAllowList, findUrlProblem } from '@kinora/egress';
import { fieldRefusal } from '../http/error-answer';

/** The fields of a body that hold URLs. */
interface UrlFields {
  /** LoRAs of image jobs have no low_url. */
  loras?: VideoLoraBody[];
  webhook_url?: string;
}

/** Checks rules across fields, and refuses URLs that are not public. @throws ApiError invalid_body */
export function assertPublicUrls({ loras = [], webhook_url }: UrlFields, allow: EgressAllowList): void {
  for (const [index, lora] of loras.entries()) assertLora(lora, `loras[${index}]`, allow);
  if (webhook_url !== undefined) assertPublicUrl(webhook_url, 'webhook_url', allow);
}

function assertLora({ id, url, low_url }: VideoLoraBody, path: string, allow: EgressAllowList): void {
  if (low_url !== undefined && url === undefined) throw fieldRefusal(`${path}.low_url`, 'must come with url');
  if ((id === undefined) === (url === undefined)) throw fieldRefusal(path, 'must have exactly one of id and url');
  if (url !== undefined) assertPublicUrl(url, `${path}.url`, allow);
  if (low_url !== undefined) assertPublicUrl(low_url, `${path}.low_url`, allow);
}

function assertPublicUrl(url: string, param: string, allow: EgressAllowList): void {
  const problem = findUrlProblem(url, allow);
  if (problem !== null) throw fieldRefusal(param, problem);
}
