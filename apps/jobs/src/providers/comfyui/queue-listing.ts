import { isRecord } from '../http/json-answer';

/** The prompts that wait and run at the server, by their ids. */
export interface QueueListing {
  running: Set<string>;
  pending: Set<string>;
}

/** Null for what is no answer of `GET /queue`. */
export function parseQueue(answer: unknown): QueueListing | null {
  if (!isRecord(answer)) return null;
  const { queue_running: running, queue_pending: pending } = answer;
  if (!Array.isArray(running) || !Array.isArray(pending)) return null;
  return { running: idsOf(running), pending: idsOf(pending) };
}

/** Of the entries `[number, prompt_id, graph, …]`. */
function idsOf(entries: unknown[]): Set<string> {
  return new Set(entries.map((entry) => (Array.isArray(entry) ? (entry[1] as unknown) : null)).filter(isString));
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
