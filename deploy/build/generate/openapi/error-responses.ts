import { type ErrorCode, type ErrorType, HTTP_STATUS_BY_TYPE, TYPE_BY_CODE } from '@kinora/contracts/shared/errors';
import { requiredScope } from '../../../../apps/gateway/src/http/route-policy';
import type { JsonSchema } from '../contracts/json-schema';
import type { ApiRoute } from './api-routes';

/** The general meaning of each status; the codes give the details. */
const MEANING_OF_TYPE: Record<ErrorType, string> = {
  invalid_request_error: 'The request is malformed, or a field or parameter is not valid: `param` names it.',
  authentication_error: 'The API key is missing, malformed, unknown, revoked or expired.',
  insufficient_balance: 'The balance cannot cover the price.',
  permission_error: 'The account, or its API key, may not perform this operation.',
  not_found: 'The object does not exist, or belongs to another account.',
  idempotency_conflict: 'The Idempotency-Key was used for another request.',
  content_blocked: 'The content policy forbids the request. Nothing was charged.',
  rate_limit_error: 'Too many requests, or too many jobs at once. Retry after `Retry-After`, and back off.',
  api_error: 'An unexpected error of the service.',
  capacity_error: 'No capacity right now. Retry after `Retry-After`, and back off.',
};

const RETRIED: ReadonlySet<ErrorType> = new Set(['rate_limit_error', 'capacity_error']);

export function errorResponses(route: ApiRoute, describeCode: (code: ErrorCode) => string): Record<string, JsonSchema> {
  const codesByType = new Map<ErrorType, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    const type = route.operation.errorTypes?.[code] ?? TYPE_BY_CODE[code];
    codesByType.set(type, [...(codesByType.get(type) ?? []), code]);
  }
  return Object.fromEntries(
    [...codesByType].map(([type, codes]) => [HTTP_STATUS_BY_TYPE[type], errorResponse(type, codes, describeCode)]),
  );
}

/** The errors that the gateway may give for any such request, and those of the services behind it. */
export function errorCodesOf({
  method,
  policy,
  operation,
}: ApiRoute<{ idempotent?: boolean; errors: readonly ErrorCode[] }>): ErrorCode[] {
  // Every key can read.
  const needsScope = policy.access === 'key' && requiredScope(method.toUpperCase(), policy) !== 'read';
  const codes: ErrorCode[] = [
    ...(policy.ignoresUnknownQuery ? [] : (['invalid_query'] as const)),
    // A request head or body that is too long, and malformed HTTP.
    'invalid_body',
    ...(policy.takesJson || policy.takesMultipart ? (['invalid_content_type'] as const) : []),
    ...(policy.takesJson ? (['invalid_json'] as const) : []),
    ...(operation.idempotent ? (['invalid_idempotency_key'] as const) : []),
    ...(policy.access === 'key' ? (['invalid_api_key'] as const) : []),
    ...(needsScope ? (['scope_required'] as const) : []),
    'rate_limited',
    'capacity',
    'internal_error',
    ...operation.errors,
  ];
  return [...new Set(codes)].sort();
}

function errorResponse(type: ErrorType, codes: ErrorCode[], describeCode: (code: ErrorCode) => string): JsonSchema {
  const list = codes.map((code) => `- \`${code}\`: ${describeCode(code)}`).join('\n');
  const error = { type: 'object', properties: { type: { const: type }, code: { enum: codes } } };
  return {
    description: `${MEANING_OF_TYPE[type]}\n\n${list}`,
    headers: { ...commonHeaders(), ...(RETRIED.has(type) && { 'Retry-After': headerRef('Retry-After') }) },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/ErrorEnvelope' }, { type: 'object', properties: { error } }],
        },
      },
    },
  };
}

/** The headers of every response under /v1. */
export function commonHeaders(): JsonSchema {
  return Object.fromEntries(
    ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining'].map((name) => [name, headerRef(name)]),
  );
}

export function headerRef(name: string): JsonSchema {
  return { $ref: `#/components/headers/${name}` };
}
