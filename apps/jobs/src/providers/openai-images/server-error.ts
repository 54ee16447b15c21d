import type { FailureKind, ProviderFailure, ProviderTask, SubmitOutcome } from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { failureKindOf } from '../hosted-model/failure-words';
import { isRecord, parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';

/** What an answer without a result proves about a task. A 500 in the server's own words is the end of work that it had begun. */
export function toErrorOutcome(answer: HttpAnswer, task: ProviderTask): SubmitOutcome {
  const words = errorWords(parseJson(answer.body));
  if (words === null || ![400, 422, 500].includes(answer.status)) return toRejectedSubmit(answer);
  const kind = kindOf(withoutTexts(words, task), answer.status === 500 ? 'transient' : 'invalid_input');
  return { kind: 'failed', failure: { kind, reason: `answered ${answer.status}` }, gpuMs: null };
}

/** What became of a video that its server calls failed. */
export function toVideoFailure(error: unknown): ProviderFailure {
  return { kind: kindOf(errorWords({ error }) ?? '', 'transient'), reason: 'the video failed' };
}

/** `otherwise` for words that tell of nothing in particular. */
function kindOf(words: string, otherwise: FailureKind): FailureKind {
  const kind = failureKindOf(words);
  return kind === 'fatal' ? otherwise : kind;
}

/** `{detail}` of FastAPI, or OpenAI's `{error: {message, type, code}}`; null for what is neither. */
function errorWords(answer: unknown): string | null {
  if (!isRecord(answer)) return null;
  const { detail, error } = answer;
  if (typeof detail === 'string') return detail;
  // A list is FastAPI's own validation, and quotes the whole request.
  if (Array.isArray(detail)) return '';
  if (!isRecord(error)) return null;
  return [error['code'], error['type'], error['message']].filter((word) => typeof word === 'string').join(' ');
}

/** Errors quote what they are about; the client's words must not decide what kind of error it is. */
function withoutTexts(words: string, { prompt, negativePrompt }: ProviderTask): string {
  return [prompt, negativePrompt].filter(Boolean).reduce((rest, text) => rest.replaceAll(text, ''), words);
}
