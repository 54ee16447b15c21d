import { IsInt, IsUrl, Max, Min } from 'class-validator';
import type { HttpAnswer } from '../http/bounded-exchange';
import { asUpstreamId, isRecord, parseJson } from '../http/json-answer';
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
