import type { ProviderFailure, SubmitOutcome } from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { asUpstreamId, isRecord, parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';
import { toPromptId } from './submitted-tasks';

interface InputError {
  node: string;
  type: string;
  input: string;
}

/** The outcome of `POST /prompt`. `accepted_with_errors`: the prompt runs in part, and must be stopped. */
export type PromptAnswer = SubmitOutcome | { kind: 'accepted_with_errors'; promptId: string; failure: ProviderFailure };

/** Inputs that name a file (checkpoint, LoRA, encoder): all loaders use these names. Samplers are no files. */
const NAMES_A_FILE = /^(?!sampler_).*_name\d*$/;

export function readPromptAnswer(answer: HttpAnswer, taskId: string): PromptAnswer {
  const body = parseJson(answer.body);
  if (answer.status === 400 && isRecord(body)) return { kind: 'failed', failure: toRefusal(body), gpuMs: null };
  if (answer.status !== 200) return toRejectedSubmit(answer);
  const promptId = isRecord(body) ? asUpstreamId(body['prompt_id']) : null;
  if (!isRecord(body) || promptId === null) return { kind: 'unknown' };
  if (isRecord(body['node_errors']) && Object.keys(body['node_errors']).length > 0)
    return { kind: 'accepted_with_errors', promptId, failure: toRefusal(body) };
  const ref = promptId === toPromptId(taskId) ? null : { prompt_id: promptId };
  return { kind: 'accepted', ref, isRunning: false };
}

/** The reason holds only types and names of nodes and inputs: the details quote values, and one of them is the prompt. */
function toRefusal(body: Record<string, unknown>): ProviderFailure {
  const errors = listErrors(body['node_errors']);
  const error = isRecord(body['error']) ? body['error'] : {};
  if (isMissingNode(error)) return { kind: 'transient', reason: `the server has no node of class ${classOf(error)}` };
  const [first] = errors;
  if (!first) return { kind: 'invalid_input', reason: `the graph was refused as ${toName(error['type'])}` };
  const reason = errors.map(({ node, type, input }) => `${type} at ${node}${input && `.${input}`}`).join(', ');
  // The files are missing on this server only, as is an upload that went to another server behind the same address.
  const isOfThisServer = errors.every(
    ({ node, type, input }) => isMissingFile(type, input) || isLostUpload(node, type),
  );
  return { kind: isOfThisServer ? 'transient' : 'invalid_input', reason: reason.slice(0, 300) };
}

function listErrors(nodeErrors: unknown): InputError[] {
  if (!isRecord(nodeErrors)) return [];
  return Object.values(nodeErrors).flatMap((node): InputError[] => {
    if (!isRecord(node) || !Array.isArray(node['errors'])) return [];
    return node['errors'].filter(isRecord).map(({ type, extra_info: extra }) => ({
      node: toName(node['class_type']),
      type: toName(type),
      input: isRecord(extra) ? toName(extra['input_name'], '') : '',
    }));
  });
}

function isMissingFile(type: string, input: string): boolean {
  return type === 'value_not_in_list' && NAMES_A_FILE.test(input);
}

function isLostUpload(node: string, type: string): boolean {
  return node === 'LoadImage' && type === 'custom_validation_failed';
}

/** Newer servers have an error type for it, older ones only a message. */
function isMissingNode({ type, message }: Record<string, unknown>): boolean {
  return type === 'missing_node_type' || (type === 'invalid_prompt' && /does not exist/.test(String(message)));
}

function classOf({ message, extra_info: extra }: Record<string, unknown>): string {
  const named = isRecord(extra) ? extra['class_type'] : undefined;
  return toName(named ?? /node (\S+) does not exist/.exec(String(message))?.[1]);
}

function toName(value: unknown, fallback = 'unnamed'): string {
  return typeof value === 'string' && /^[\w .+-]{1,80}$/.test(value) ? value : fallback;
}
