import type { HttpAnswer } from '../http/bounded-exchange';
import { asUpstreamId, isRecord, parseJson } from '../http/json-answer';
import type { JsonObject } from '../json';

/** Where a request is asked after: paths, or whole URLs of the instance's origin. */
export interface FalRequest {
  id: string;
  statusUrl: string;
  responseUrl: string;
  cancelUrl: string;
}

/** `owner/app` of an endpoint: whatever follows is a path within the app, and no part of a request's own addresses. */
export function appOf(model: string): string {
  return model.split('/').slice(0, 2).join('/');
}

export function requestOf(app: string, requestId: string): FalRequest {
  const responseUrl = `/${app}/requests/${requestId}`;
  return { id: requestId, responseUrl, statusUrl: `${responseUrl}/status`, cancelUrl: `${responseUrl}/cancel` };
}

/**
 * The reference of what was taken; null where the answer names no request. fal says where to ask, and is believed as far as
 * our key may go there: in place of a foreign address stands the usual one.
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

/** Where a reference may be asked after: what a callback told names the request alone, which is one of some app's. */
export function toRequests(ref: JsonObject | null, apps: string[]): FalRequest[] {
  const { request_id: id, status_url: statusUrl, response_url: responseUrl, cancel_url: cancelUrl } = ref ?? {};
  const requestId = asUpstreamId(id);
  if (requestId === null) return [];
  if (typeof statusUrl === 'string' && typeof responseUrl === 'string' && typeof cancelUrl === 'string')
    return [{ id: requestId, statusUrl, responseUrl, cancelUrl }];
  return apps.map((app) => requestOf(app, requestId));
}
