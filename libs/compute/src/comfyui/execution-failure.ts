import type { ProviderFailure } from '../compute-provider.port';
import { isRecord } from '../http/json-answer';

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
