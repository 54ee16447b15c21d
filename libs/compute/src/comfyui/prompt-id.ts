import { v5 as uuidv5 } from 'uuid';
import type { UpstreamTask } from '../compute-provider.port';
import { asUpstreamId } from '../http/json-answer';

/** A fixed namespace. Changing it would make running prompts unknown, because their ids are derived from it. */
const NAMESPACE = '5f0c5a52-7c0e-4b0e-9a55-0d7f6c1f1c59';

/**
 * The id of the prompt at the server: the canonical UUID that newer servers require. It is derived from the task's id, so that
 * a submission whose answer was lost can be looked up.
 */
export function toPromptId(taskId: string): string {
  return uuidv5(taskId, NAMESPACE);
}

/** Servers before 0.3.45 assign the id themselves, so `ref` from the answer is the only source of it. */
export function promptIdOf({ id, ref }: UpstreamTask): string {
  return asUpstreamId(ref?.['prompt_id']) ?? toPromptId(id);
}
