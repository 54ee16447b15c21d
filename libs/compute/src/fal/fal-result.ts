import type { FailureKind, FetchOutput, UpstreamStatus } from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { failureKindOf } from '../http/failure-words';
import { isRecord, parseJson } from '../http/json-answer';

const MAX_OUTPUTS = 64;
const MAX_DEPTH = 4;

/** What a request that is completed has come to: its result, or the error that the model answered in its place. */
export function toEndStatus(
  answer: HttpAnswer,
  gpuMs: number | null,
  fetchOutput: (url: string) => FetchOutput,
): UpstreamStatus {
  const reply = parseJson(answer.body);
  if (answer.status === 404) return { state: 'not_found' };
  if (!isRecord(reply)) return { state: 'unreachable' };
  if (answer.status === 200) return toResult(reply, gpuMs, fetchOutput);
  // Without its detail it is the word of some gateway on the way, or of the door, and not the model's.
  if (answer.status < 400 || [401, 403, 429].includes(answer.status) || reply['detail'] === undefined)
    return { state: 'unreachable' };
  return toFailed(answer.status, reply['detail'], gpuMs);
}

function toResult(
  result: Record<string, unknown>,
  gpuMs: number | null,
  fetchOutput: (url: string) => FetchOutput,
): UpstreamStatus {
  const { has_nsfw_concepts: flags } = result;
  // What its filter finds fal paints black, and calls it a success.
  if (Array.isArray(flags) && flags.includes(true))
    return toFailure('content_rejected', 'a picture was flagged', gpuMs);
  return { state: 'succeeded', outputs: collectFileUrls(result).map(fetchOutput), gpuMs };
}

function toFailed(status: number, detail: unknown, gpuMs: number | null): UpstreamStatus {
  const problems: unknown[] = Array.isArray(detail) ? detail : [detail];
  const types = problems.map((problem) => (isRecord(problem) ? problem['type'] : undefined));
  const words = problems.map((problem) => (isRecord(problem) ? problem['msg'] : problem));
  const text = [...types, ...words].filter((each) => typeof each === 'string').join(' ');
  // Its parts need not agree on the moment of the end.
  if (/\bstill (in|being|running)\b/i.test(text)) return { state: 'unreachable' };
  if (/\brequest (was )?cancell?ed\b/i.test(text)) return { state: 'canceled', gpuMs };
  return toFailure(kindOf(status, text), `the result is ${status}`, gpuMs);
}

/** The type and the words first: of a policy as of a mistake of ours fal says 422. */
function kindOf(status: number, text: string): FailureKind {
  const kind = failureKindOf(text);
  if (kind !== null) return kind;
  if (status === 504 || status === 408) return 'timeout';
  return status >= 500 ? 'transient' : 'invalid_input';
}

function toFailure(kind: FailureKind, reason: string, gpuMs: number | null): UpstreamStatus {
  return { state: 'failed', failure: { kind, reason: `${reason} (${kind})` }, gpuMs };
}

/** Files are objects with an URL; a text that looks like one may be the prompt, which many models repeat. */
function collectFileUrls(part: unknown, depth = 0): string[] {
  if (typeof part !== 'object' || part === null || depth > MAX_DEPTH) return [];
  if ('url' in part && typeof part.url === 'string') return [part.url];
  return Object.values(part)
    .flatMap((each) => collectFileUrls(each, depth + 1))
    .slice(0, MAX_OUTPUTS);
}
