import { v5 as uuidv5 } from 'uuid';
import type { UpstreamTask } from '../compute-provider.port';
import { asUpstreamId } from '../http/json-answer';

/** Drawn once; another one would make tasks under way unknown to the server that runs them. */
const NAMESPACE = '5f0c5a52-7c0e-4b0e-9a55-0d7f6c1f1c59';

/**
 * What we name a task at the server: the canonical UUID that newer servers insist on. It follows from the task's own id, so
 * that a submission whose answer was lost can still be looked up.
 */
export function toPromptId(taskId: string): string {
  return uuidv5(taskId, NAMESPACE);
}

/** Servers from before 0.3.45 name prompts themselves; then the answer was the only word of it. */
export function promptIdOf({ id, ref }: UpstreamTask): string {
  return asUpstreamId(ref?.['prompt_id']) ?? toPromptId(id);
}
