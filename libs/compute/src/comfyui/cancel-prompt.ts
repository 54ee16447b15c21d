import type { CancelOutcome } from '../compute-provider.port';
import type { ComfyuiServer } from './comfyui-server';

/** An interrupt is looked at between two nodes or two steps; what takes longer is asked for again by the caller. */
const POLL_AFTER_MS = [0, 50, 150, 400, 900];

/**
 * Stops a prompt, whether it waits or runs. Its end stays in the history, which alone tells its times. The interrupt is for a prompt that is seen
 * running only: older servers stop whatever runs. What leaves the queue before the first look leaves it to run, and is seen.
 * @throws ProviderUnreachable
 */
export async function cancelPrompt(server: ComfyuiServer, promptId: string): Promise<CancelOutcome> {
  await server.deletePending(promptId);
  for (const waitMs of POLL_AFTER_MS) {
    await pause(waitMs);
    const { running, pending } = await server.readQueue();
    // Asked again at each look, since the server forgets an interrupt from before the prompt's first node.
    if (running.has(promptId)) await server.interrupt(promptId);
    if (running.has(promptId) || pending.has(promptId)) continue;
    const end = await server.readHistory(promptId);
    if (end === 'absent') return 'stopped';
    return end.kind === 'interrupted' ? 'stopped' : 'too_late';
  }
  return 'unknown';
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
