import { isRecord } from '../http/json-answer';

/** Where one output of an answer is: in it, or at an address. */
export type OutputSource = { inline: string } | { address: string };

/** The outputs that an answer holds out, in order; null for an answer that is not in the servers' language. */
export function findOutputSources(answer: unknown): OutputSource[] | null {
  if (!isRecord(answer) || !Array.isArray(answer['data'])) return null;
  return answer['data'].map(toSource);
}

/** SGLang also names a path of its own disk, which is nobody's business. An entry without either is an output without bytes. */
function toSource(entry: unknown): OutputSource {
  if (!isRecord(entry)) return { inline: '' };
  const { b64_json: inline, url: address } = entry;
  if (typeof inline === 'string' && inline !== '') return { inline };
  return typeof address === 'string' ? { address } : { inline: '' };
}
