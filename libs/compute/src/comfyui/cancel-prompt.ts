import type { CancelOutcome } from '../compute-provider.port';
import type { ComfyuiServer } from './comfyui-server';

/** The server checks for an interrupt between nodes and between steps; after the last poll the caller must cancel again. */
const POLL_AFTER_MS = [0, 50, 150, 400, 900];

/**
 * Stops a prompt that waits or runs. Its history entry, which has its times, stays. Only a prompt that is seen running is
 * interrupted, because older servers stop whatever runs. A prompt that leaves the queue before the first poll is running, and
 * the poll sees it.
 * @throws ProviderUnreachable
 */
export async function cancelPrompt(server: ComfyuiServer, promptId: string): Promise<CancelOutcome> {
  await server.deletePending(promptId);
  for (const waitMs of POLL_AFTER_MS) {
    await pause(waitMs);
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
