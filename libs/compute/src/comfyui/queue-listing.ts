import { isRecord } from '../http/json-answer';

/** The ids of the prompts that wait and run at the server. */
export interface QueueListing {
  running: Set<string>;
  /** With the number of waiting prompts before each. */
  pending: Map<string, number>;
  foreign: number;
}

/** Null for an answer that is not a queue listing. */
export function parseQueue(answer: unknown): QueueListing | null {
  if (!isRecord(answer)) return null;
  const { queue_running: running, queue_pending: pending } = answer;
  if (!Array.isArray(running) || !Array.isArray(pending)) return null;
  const foreign = [running, pending].flat().filter((entry) => !isOurs(entry)).length;
  return { running: idsOf(running), pending: placesOf(pending), foreign };
}

/** Entries are `[number, prompt_id, graph, …]`. */
function idsOf(entries: unknown[]): Set<string> {
  return new Set(entries.map((entry) => (Array.isArray(entry) ? (entry[1] as unknown) : null)).filter(isString));
}

/** The list is a heap: the number of an entry decides the order, and the entries are not sorted by it. */
function placesOf(entries: unknown[]): Map<string, number> {
  const numberOf = (entry: unknown): number => Number(Array.isArray(entry) ? entry[0] : 0);
  const sorted = [...entries].sort((a, b) => numberOf(a) - numberOf(b));
  const places = sorted.map((entry, place) => [Array.isArray(entry) ? (entry[1] as unknown) : null, place] as const);
  return new Map(places.filter((one): one is [string, number] => isString(one[0])));
}

/** Identified by the extra data of the entry, which every submission carries (`extra-data.ts`). */
function isOurs(entry: unknown): boolean {
  const extraData: unknown = Array.isArray(entry) ? entry[3] : null;
  return isRecord(extraData) && isRecord(extraData['kinora']);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
