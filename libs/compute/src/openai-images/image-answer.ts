import { isRecord } from '../http/json-answer';

/** The location of an output: within the answer, or at an address. */
export type OutputSource = { inline: string } | { address: string };

/** The outputs of an answer, in order; null for an unknown format. */
export function findOutputSources(answer: unknown): OutputSource[] | null {
  if (!isRecord(answer) || !Array.isArray(answer['data'])) return null;
  return answer['data'].map(toSource);
}

/** SGLang also returns a path of its own disk, which is ignored. An entry without either is an output without bytes. */
function toSource(entry: unknown): OutputSource {
  if (!isRecord(entry)) return { inline: '' };
  const { b64_json: inline, url: address } = entry;
  if (typeof inline === 'string' && inline !== '') return { inline };
  return typeof address === 'string' ? { address } : { inline: '' };
}
