import type { ProviderFailure, ProviderTask, SubmitOutcome } from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { errorWords, failureKindOf, textsOf } from '../http/failure-words';
import { parseJson } from '../http/json-answer';
import { toRejectedSubmit } from '../http/submit-answer';

/** The outcome of an answer without a result. A 500 with the server's own error body is the end of work that had begun. */
export function toErrorOutcome(answer: HttpAnswer, task: ProviderTask): SubmitOutcome {
  const words = errorWords(parseJson(answer.body));
  if (words === null || ![400, 422, 500].includes(answer.status)) return toRejectedSubmit(answer, textsOf(task));
  const otherwise = answer.status === 500 ? 'transient' : 'invalid_input';
  const kind = failureKindOf(words, textsOf(task)) ?? otherwise;
  return { kind: 'failed', failure: { kind, reason: `answered ${answer.status}` }, gpuMs: null };
}

/** The failure of a video that the server reports as failed. */
export function toVideoFailure(error: unknown): ProviderFailure {
  return { kind: failureKindOf(errorWords({ error }) ?? '') ?? 'transient', reason: 'the video failed' };
}
