import { IsInt, IsUrl, Max, Min } from 'class-validator';
import type { FailureKind, FetchOutput, UpstreamStatus } from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { failureKindOf } from '../http/failure-words';
import { isRecord, parseJson, asUpstreamId } from '../http/json-answer';
import type { JsonObject } from '../instance-definition';

/** Where a request is polled: paths, or whole URLs of the instance's origin. */
export interface FalRequest {
  id: string;
  statusUrl: string;
  responseUrl: string;
  cancelUrl: string;
}

/** `owner/app` of an endpoint: the rest is a path within the app, and not part of a request's URLs. */
export function appOf(model: string): string {
  return model.split('/').slice(0, 2).join('/');
}

export function requestOf(app: string, requestId: string): FalRequest {
  const responseUrl = `/${app}/requests/${requestId}`;
  return { id: requestId, responseUrl, statusUrl: `${responseUrl}/status`, cancelUrl: `${responseUrl}/cancel` };
}

/**
 * The reference of an accepted request; null where the answer has no request id. The URLs that fal returns are used if the
 * instance's key may be sent there; otherwise the usual URLs.
 */
export function readRef(answer: HttpAnswer, model: string, owns: (url: string) => boolean): JsonObject | null {
  const reply = parseJson(answer.body);
  const requestId = isRecord(reply) ? asUpstreamId(reply['request_id']) : null;
  if (!isRecord(reply) || requestId === null) return null;
  const usual = requestOf(appOf(model), requestId);
  const ownOr = (url: unknown, other: string): string => (typeof url === 'string' && owns(url) ? url : other);
  return {
    request_id: requestId,
    status_url: ownOr(reply['status_url'], usual.statusUrl),
    response_url: ownOr(reply['response_url'], usual.responseUrl),
    cancel_url: ownOr(reply['cancel_url'], usual.cancelUrl),
  };
}

/** The requests that a reference may mean: a callback names the request alone, so each app is tried. */
export function toRequests(ref: JsonObject | null, apps: string[]): FalRequest[] {
  const { request_id: id, status_url: statusUrl, response_url: responseUrl, cancel_url: cancelUrl } = ref ?? {};
  const requestId = asUpstreamId(id);
  if (requestId === null) return [];
  if (typeof statusUrl === 'string' && typeof responseUrl === 'string' && typeof cancelUrl === 'string')
    return [{ id: requestId, statusUrl, responseUrl, cancelUrl }];
  return apps.map((app) => requestOf(app, requestId));
}

export class FalSettings {
  /** Where fal publishes the keys that sign its callbacks. */
  @IsUrl({ protocols: ['https'], require_protocol: true, require_tld: false })
  jwks_url = 'https://rest.fal.ai/.well-known/jwks.json';

  /** fal deletes outputs after this time. It must be long enough to fetch them. */
  @IsInt()
  @Min(600)
  @Max(604_800)
  object_ttl_seconds = 3_600;
}

const MAX_OUTPUTS = 64;
const MAX_DEPTH = 4;

/** The end of a completed request: its result, or the model's error instead. */
export function toEndStatus(
  answer: HttpAnswer,
  gpuMs: number | null,
  fetchOutput: (url: string) => FetchOutput,
): UpstreamStatus {
  const reply = parseJson(answer.body);
  if (answer.status === 404) return { state: 'not_found' };
  if (!isRecord(reply)) return { state: 'unreachable' };
  if (answer.status === 200) return toResult(reply, gpuMs, fetchOutput);
  // Without a detail, the error comes from a gateway, not from the model.
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
  // fal blackens images that its filter flags, and reports success.
  if (Array.isArray(flags) && flags.includes(true)) return toFailure('content_rejected', 'an image was flagged', gpuMs);
  return { state: 'succeeded', outputs: collectFileUrls(result).map(fetchOutput), gpuMs };
}

function toFailed(status: number, detail: unknown, gpuMs: number | null): UpstreamStatus {
  const problems: unknown[] = Array.isArray(detail) ? detail : [detail];
  const types = problems.map((problem) => (isRecord(problem) ? problem['type'] : undefined));
  const words = problems.map((problem) => (isRecord(problem) ? problem['msg'] : problem));
  const text = [...types, ...words].filter((each) => typeof each === 'string').join(' ');
  // fal's queue and its store of results may disagree about the end for a moment.
  if (/\bstill (in|being|running)\b/i.test(text)) return { state: 'unreachable' };
  if (/\brequest (was )?cancell?ed\b/i.test(text)) return { state: 'canceled', gpuMs };
  return toFailure(kindOf(status, text), `the result is ${status}`, gpuMs);
}

/** The error type and its message decide first: fal answers 422 both for content policy and for invalid requests. */
function kindOf(status: number, text: string): FailureKind {
  const kind = failureKindOf(text);
  if (kind !== null) return kind;
  if (status === 504 || status === 408) return 'timeout';
  return status >= 500 ? 'transient' : 'invalid_input';
}

function toFailure(kind: FailureKind, reason: string, gpuMs: number | null): UpstreamStatus {
  return { state: 'failed', failure: { kind, reason: `${reason} (${kind})` }, gpuMs };
}

/** Files are objects with a URL; a text that looks like a URL may be the prompt, which many models return. */
function collectFileUrls(part: unknown, depth = 0): string[] {
  if (typeof part !== 'object' || part === null || depth > MAX_DEPTH) return [];
  if ('url' in part && typeof part.url === 'string') return [part.url];
  return Object.values(part)
    .flatMap((each) => collectFileUrls(each, depth + 1))
    .slice(0, MAX_OUTPUTS);
}
