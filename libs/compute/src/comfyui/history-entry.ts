import { asGpuMs, isRecord } from '../http/json-answer';
import { branchOfFile } from './seed-branches';
import type { ProviderFailure } from '../compute-provider.port';

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

/** A file at the server, by the parameters of `GET /view`. */
export interface ServerFile {
  filename: string;
  subfolder: string;
}

/**
 * The results among the outputs of a prompt, in the order of their seeds; the server lists nodes in the order in which they
 * ran. Videos are listed under `images` or, by custom nodes, `gifs`, so every list of files is read, and the bytes decide the
 * type of a file. Previews have the type `temp` and are skipped.
 */
export function listResults(outputs: unknown): ServerFile[] {
  if (!isRecord(outputs)) return [];
  return Object.values(outputs)
    .flatMap((node) => (isRecord(node) ? Object.values(node) : []))
    .flatMap((files): unknown[] => (Array.isArray(files) ? files : []))
    .flatMap((file) => (isResult(file) ? [{ filename: file.filename, subfolder: file.subfolder ?? '' }] : []))
    .sort((one, other) => branchOfFile(one.filename) - branchOfFile(other.filename));
}

/** Custom nodes add a `fullpath` on the server's disk, which is not used. */
function isResult(file: unknown): file is { filename: string; subfolder?: string } {
  if (!isRecord(file)) return false;
  const { filename, subfolder, type } = file;
  return (
    typeof filename === 'string' && (subfolder === undefined || typeof subfolder === 'string') && type === 'output'
  );
}

export function toViewPath({ filename, subfolder }: ServerFile): string {
  return `/view?${new URLSearchParams({ filename, subfolder, type: 'output' }).toString()}`;
}

const MAX_LINE_CHARS = 200;
const OUT_OF_MEMORY = /OutOfMemoryError|ran out of memory|can't allocate memory|CUDA out of memory/i;
/**
 * Pillow's error for bytes that are no image. Every image is decoded before it is sent, so the template passes other bytes to
 * the node.
 */
const NO_IMAGE = 'PIL.UnidentifiedImageError';

export interface ExecutionFailure extends ProviderFailure {
  isOutOfMemory: boolean;
}

/**
 * Why a prompt failed while it ran. `graph` is the server's copy of the graph: none of its texts may appear in the reason,
 * since messages of nodes quote their inputs, and the prompt is one of them.
 */
export function toExecutionFailure(event: unknown, graph: unknown): ExecutionFailure {
  const { node_type: node, exception_type: type, exception_message: message } = isRecord(event) ? event : {};
  const text = typeof message === 'string' ? message : '';
  const isOutOfMemory = OUT_OF_MEMORY.test(`${String(type)} ${text}`);
  return {
    // A crash, a broken model file or a full card concerns this worker only; the same graph may run elsewhere.
    kind: type === NO_IMAGE ? 'invalid_input' : 'transient',
    reason: [toWord(node), toWord(type), firstLine(text, textsOf(graph))].filter(Boolean).join(': '),
    isOutOfMemory,
  };
}

/** Accepts names of classes only. */
function toWord(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^\w.+ -]/g, '').slice(0, 80) : '';
}

/** The first line, without texts of the graph, quotations, addresses and paths. */
function firstLine(message: string, texts: string[]): string {
  const withoutTexts = texts.reduce((rest, text) => rest.replaceAll(text, '…'), message);
  const [line = ''] = withoutTexts.split(/\r?\n/, 1);
  return line
    .replace(/(["'`]).*\1/g, '…')
    .replace(/\w+:\/\/\S+/g, '…')
    .replace(/(?:[A-Za-z]:)?(?:[\\/][^\s:,;)]+)+/g, '…')
    .slice(0, MAX_LINE_CHARS)
    .trim();
}

/** The longest first, so that a shorter text that is part of a longer one does not leave the rest of it. */
function textsOf(graph: unknown): string[] {
  const nodes = isRecord(graph) ? Object.values(graph) : [];
  return nodes
    .flatMap((node) => (isRecord(node) && isRecord(node['inputs']) ? Object.values(node['inputs']) : []))
    .filter((value): value is string => typeof value === 'string' && value !== '')
    .sort((one, other) => other.length - one.length);
}
