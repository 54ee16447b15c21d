import { asGpuMs, isRecord } from '../http/json-answer';
import { type ExecutionFailure, toExecutionFailure } from './execution-failure';
import { listResults, type ServerFile } from './output-files';

/** How a prompt ended, by the server's history. */
export type PromptEnd =
  | { kind: 'succeeded'; files: ServerFile[]; gpuMs: number | null }
  | { kind: 'failed'; failure: ExecutionFailure; gpuMs: number | null }
  | { kind: 'interrupted'; gpuMs: number | null };

const ENDS = ['execution_success', 'execution_error', 'execution_interrupted'];

interface Message {
  event: string;
  data: Record<string, unknown>;
}

/** The result of a prompt in the answer of `GET /history/{id}`: `absent` without an entry, null for an unknown format. */
export function parseHistory(answer: unknown, promptId: string): PromptEnd | 'absent' | null {
  if (!isRecord(answer)) return null;
  const entry = answer[promptId];
  if (entry === undefined) return 'absent';
  if (!isRecord(entry)) return null;
  const { status, outputs, prompt } = entry;
  // An entry without a status is a success; the number of its outputs shows whether it is complete.
  if (status === null || status === undefined) return toSuccess(outputs, null);
  if (!isRecord(status)) return null;
  const messages = toMessages(status['messages']);
  const gpuMs = measure(messages);
  if (status['status_str'] === 'success') return toSuccess(outputs, gpuMs);
  if (status['status_str'] !== 'error') return null;
  // An interrupted prompt has the same status as a failed one.
  const end = messages.findLast(({ event }) => ENDS.includes(event));
  if (end?.event === 'execution_interrupted') return { kind: 'interrupted', gpuMs };
  const graph: unknown = Array.isArray(prompt) ? prompt[2] : null;
  return { kind: 'failed', failure: toExecutionFailure(end?.data, graph), gpuMs };
}

/**
 * A success may have no file, where a node has blocked the output or all results were cached. Jobs checks the number of files.
 */
function toSuccess(outputs: unknown, gpuMs: number | null): PromptEnd {
  return { kind: 'succeeded', files: listResults(outputs), gpuMs };
}

function toMessages(messages: unknown): Message[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message): Message[] => {
    const [event, data] = Array.isArray(message) ? (message as unknown[]) : [];
    return typeof event === 'string' && isRecord(data) ? [{ event, data }] : [];
  });
}

/**
 * The duration of the whole prompt by the server's clock, because one prompt runs at a time. Near zero where all results were
 * cached.
 */
function measure(messages: Message[]): number | null {
  const start = messages.find(({ event }) => event === 'execution_start')?.data['timestamp'];
  const end = messages.findLast(({ event }) => ENDS.includes(event))?.data['timestamp'];
  return typeof start === 'number' && typeof end === 'number' ? asGpuMs(end - start, 1) : null;
}
