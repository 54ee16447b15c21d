import type { Clock } from '@kinora/service-kit';
import { v5 as uuidv5 } from 'uuid';
import type { CancelOutcome, UpstreamTask } from '../compute-provider.port';
import { asUpstreamId } from '../http/json-answer';
import type { ComfyuiServer } from './comfyui-server';

/** More tasks than this are never open; the oldest are forgotten, because their hints are optional. */
const MAX_TASKS = 10_000;

/** Maps the prompts that this process has submitted to their tasks. */
export class SubmittedTasks {
  private readonly taskIds = new Map<string, string>();

  add(promptId: string, taskId: string): void {
    this.taskIds.set(promptId, taskId);
    const [oldest] = this.taskIds.keys();
    if (this.taskIds.size > MAX_TASKS && oldest !== undefined) this.taskIds.delete(oldest);
  }

  find(promptId: string): string | null {
    return this.taskIds.get(promptId) ?? null;
  }

  delete(promptId: string): void {
    this.taskIds.delete(promptId);
  }
}

/** The server checks for an interrupt between nodes and between steps; after the last poll the caller must cancel again. */
const POLL_AFTER_MS = [0, 50, 150, 400, 900];

/**
 * Stops a prompt that waits or runs. Its history entry, which has its times, stays. Only a prompt that is seen running is
 * interrupted, because older servers stop whatever runs. A prompt that leaves the queue before the first poll is running, and
 * the poll sees it.
 * @throws ProviderUnreachable
 */
export async function cancelPrompt(server: ComfyuiServer, promptId: string, clock: Clock): Promise<CancelOutcome> {
  await server.deletePending(promptId);
  for (const waitMs of POLL_AFTER_MS) {
    await clock.sleep(waitMs);
    const { running, pending } = await server.readQueue();
    // Repeated at each poll, since the server forgets an interrupt that arrives before the prompt's first node.
    if (running.has(promptId)) await server.interrupt(promptId);
    if (running.has(promptId) || pending.has(promptId)) continue;
    const end = await server.readHistory(promptId);
    if (end === 'absent') return 'stopped';
    return end.kind === 'interrupted' ? 'stopped' : 'too_late';
  }
  return 'unknown';
}

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
