import { isRecord } from '../http/json-answer';
import type { Graph } from './graph';

/** More prompts than this are never open; the oldest are forgotten, and their tasks then have no progress. */
const MAX_PROMPTS = 10_000;

interface TrackedPrompt {
  /** The work of each node: its sampling steps, or 1. */
  weights: Map<string, number>;
  parts: Map<string, number>;
}

/**
 * The progress of prompts, from the server's events. A server reports each node by itself; a node that samples weighs as much as
 * it has steps.
 */
export class PromptProgress {
  private readonly prompts = new Map<string, TrackedPrompt>();

  add(promptId: string, graph: Graph): void {
    const weights = new Map(Object.entries(graph).map(([id, { inputs }]) => [id, stepsOf(inputs['steps'])]));
    this.prompts.set(promptId, { weights, parts: new Map() });
    const [oldest] = this.prompts.keys();
    if (this.prompts.size > MAX_PROMPTS && oldest !== undefined) this.prompts.delete(oldest);
  }

  delete(promptId: string): void {
    this.prompts.delete(promptId);
  }

  /** Reads an event of the server; ignores events of other kinds and of prompts that were not added. */
  note(type: unknown, data: Record<string, unknown>): void {
    const { prompt_id: promptId, nodes } = data;
    const prompt = typeof promptId === 'string' ? this.prompts.get(promptId) : undefined;
    if (!prompt) return;
    if (type === 'execution_cached' && Array.isArray(nodes)) for (const id of nodes) prompt.parts.set(String(id), 1);
    if (type === 'progress_state' && isRecord(nodes))
      for (const [id, node] of Object.entries(nodes)) prompt.parts.set(id, partOf(node));
  }

  /** Undefined where the server has reported nothing about the prompt to this process. */
  of(promptId: string): number | undefined {
    const prompt = this.prompts.get(promptId);
    if (!prompt || prompt.parts.size === 0) return undefined;
    let [done, all] = [0, 0];
    for (const [id, weight] of prompt.weights) {
      all += weight;
      done += weight * (prompt.parts.get(id) ?? 0);
    }
    return all === 0 ? undefined : done / all;
  }
}

function stepsOf(steps: unknown): number {
  return typeof steps === 'number' && steps >= 1 ? steps : 1;
}

/** `{value, max, state}` of a node; custom nodes may report anything. */
function partOf(node: unknown): number {
  if (!isRecord(node)) return 0;
  if (node['state'] === 'finished') return 1;
  const part = Number(node['value']) / Number(node['max']);
  return part >= 0 && part <= 1 ? part : 0;
}
