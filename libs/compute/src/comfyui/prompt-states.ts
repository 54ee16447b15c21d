import type { UpstreamStatus } from '../compute-provider.port';
import type { ComfyuiServer } from './comfyui-server';
import type { PromptEnd } from './history-entry';
import type { QueueListing } from './queue-listing';

/** Ended prompts are read one by one; a server has one thread, so more parallel requests are no faster. */
const READS_AT_ONCE = 8;

/** `ahead`: how many prompts are before it, the running one included. */
export interface QueuedPrompt {
  kind: 'queued';
  ahead: number;
}

/** The state of a prompt: in the queue, ended, not found, or unknown because the server did not answer. */
export type PromptState = QueuedPrompt | 'running' | 'absent' | 'unreachable' | PromptEnd;

/**
 * Reads the states of prompts. The queue is read first, once for all: a prompt moves from the queue to the history under one
 * lock, so in this order none is missed. A prompt that is in neither is polled once more before it counts as absent.
 */
export async function readPromptStates(server: ComfyuiServer, ids: string[]): Promise<Map<string, PromptState>> {
  const states = await pollOnce(server, ids);
  const absent = ids.filter((id) => states.get(id) === 'absent');
  if (absent.length === 0) return states;
  return new Map([...states, ...(await pollOnce(server, absent))]);
}

async function pollOnce(server: ComfyuiServer, ids: string[]): Promise<Map<string, PromptState>> {
  const queue = await server.readQueue().catch(() => null);
  if (!queue) return new Map(ids.map((id) => [id, 'unreachable']));
  const states = new Map<string, PromptState>(ids.map((id) => [id, stateInQueue(queue, id)]));
  const rest = ids.filter((id) => states.get(id) === 'absent');
  for (let start = 0; start < rest.length; start += READS_AT_ONCE)
    await Promise.all(
      rest.slice(start, start + READS_AT_ONCE).map(async (id) => {
        states.set(id, await server.readHistory(id).catch(() => 'unreachable' as const));
      }),
    );
  return states;
}

function stateInQueue({ running, pending }: QueueListing, id: string): QueuedPrompt | 'running' | 'absent' {
  if (running.has(id)) return 'running';
  const place = pending.get(id);
  return place === undefined ? 'absent' : { kind: 'queued', ahead: place + running.size };
}

/** `progress` is what the server has reported by its events, if anything. */
export function toUpstreamStatus(state: PromptState, server: ComfyuiServer, progress?: number): UpstreamStatus {
  if (state === 'absent') return { state: 'not_found' };
  if (state === 'unreachable') return { state };
  if (state === 'running') return { state, ...(progress !== undefined && { progress }) };
  if (state.kind === 'queued') return { state: 'queued', queuedAhead: state.ahead };
  const { gpuMs } = state;
  switch (state.kind) {
    case 'succeeded':
      return {
        state: 'succeeded',
        outputs: state.files.map((file) => () => server.fetchFile(file)),
        gpuMs,
        progress: 1,
      };
    case 'failed': {
      const { kind, reason } = state.failure;
      return { state: 'failed', failure: { kind, reason }, gpuMs };
    }
    case 'interrupted':
      return { state: 'canceled', gpuMs };
  }
}
