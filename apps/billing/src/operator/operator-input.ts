import { isRFC3339 } from 'class-validator';
import { validate as isUuid, version as uuidVersion } from 'uuid';
import type { AccountLimits } from '@kinora/contracts/billing/billing-admin.rpc';
import type { OperatorRequest } from '@kinora/contracts/billing/operator-action';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isStorableText, isVisibleText } from '@kinora/contracts/shared/texts';

/**
 * Validation of operators' requests, whose fields are typed by hand. Each check throws `invalid_body` with the field's
 * name, and accepts an omitted field. `assertGiven` checks required fields.
 */
type Field<Request> = keyof Request & string;

export const MAX_NAME_LENGTH = 100;
const MAX_REASON_LENGTH = 500;

/** Checks the actor and the reason. */
export function assertOperator(request: OperatorRequest): void {
  assertText(request, 'actor', MAX_NAME_LENGTH);
  assertText(request, 'reason', MAX_REASON_LENGTH);
}

/** References of the ledger that billing itself gives, before an id. */
const OWN_REFERENCE = /^(checkout|payment_refund|dispute) /;

/** Checks the operator's idempotency reference of a payment. */
export function assertReference(request: { reference?: string }): void {
  assertText(request, 'reference', MAX_NAME_LENGTH);
  if (OWN_REFERENCE.test(request.reference ?? '')) throw invalid('reference', 'none of those that billing gives');
}

export function assertGiven<Request extends object>(request: Request, ...fields: Field<Request>[]): void {
  for (const field of fields) if (request[field] === undefined) throw invalid(field, 'given');
}

export function assertInteger<Request extends object>(
  request: Request,
  field: Field<Request>,
  { min = 1, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): void {
  const value: unknown = request[field];
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > max)
    throw invalid(field, `a whole number from ${min} to ${max}`);
}

export function assertText<Request extends object>(request: Request, field: Field<Request>, maxLength: number): void {
  const value: unknown = request[field];
  if (value === undefined) return;
  if (!isStorableText(value, { min: 1, max: maxLength }))
    throw invalid(field, `a text of 1 to ${maxLength} characters`);
}

/** The same, for a text that is not of white space and zero-width characters alone. */
export function assertVisibleText<Request extends object>(
  request: Request,
  field: Field<Request>,
  chars: { min: number; max: number },
): void {
  const value: unknown = request[field];
  if (value === undefined) return;
  if (!isVisibleText(value, chars))
    throw invalid(
      field,
      `a text of ${chars.min} to ${chars.max} characters, and not of white space and zero-width characters alone`,
    );
}

export function assertOneOf<Request extends object>(
  request: Request,
  field: Field<Request>,
  allowed: readonly unknown[],
): void {
  const value: unknown = request[field];
  if (value !== undefined && !allowed.includes(value)) throw invalid(field, `one of ${allowed.join(', ')}`);
}

export function assertUuid<Request extends object>(request: Request, field: Field<Request>): void {
  const value: unknown = request[field];
  if (value !== undefined && !isUuid(value)) throw invalid(field, 'a UUID');
}

/** An id that its caller has made, where the order of ids is the order of creation. */
export function assertTimeOrderedId<Request extends object>(request: Request, field: Field<Request>): void {
  assertUuid(request, field);
  const value = request[field] as string | undefined;
  if (value !== undefined && uuidVersion(value) !== 7) throw invalid(field, 'a UUID of version 7');
}

/** An entry id as a statement returns it: the digits of a bigint. */
export function assertEntryId<Request extends object>(request: Request, field: Field<Request>): void {
  const value: unknown = request[field];
  if (value !== undefined && (typeof value !== 'string' || !/^\d{1,18}$/.test(value)))
    throw invalid(field, 'the entry_id of a line');
}

/** A list of distinct texts, each as `assertText` requires. */
export function assertTexts<Request extends object>(
  request: Request,
  field: Field<Request>,
  { maxItems, maxLength }: { maxItems: number; maxLength: number },
): void {
  const value: unknown = request[field];
  if (value === undefined) return;
  const isListOfTexts = Array.isArray(value) && value.every((item) => isStorableText(item, { min: 1, max: maxLength }));
  if (!isListOfTexts || value.length === 0 || value.length > maxItems || new Set(value).size < value.length)
    throw invalid(field, `1 to ${maxItems} different texts of at most ${maxLength} characters`);
}

/** @throws ApiError invalid_body unless it is a list of UUIDs */
export function assertUuids<Request extends object>(request: Request, field: Field<Request>, maxItems: number): void {
  const value: unknown = request[field];
  if (!Array.isArray(value) || value.length > maxItems || !value.every((item) => isUuid(item)))
    throw invalid(field, `at most ${maxItems} UUIDs`);
}

export function assertFutureTime<Request extends object>(request: Request, field: Field<Request>): void {
  const value: unknown = request[field];
  if (value === undefined) return;
  if (typeof value !== 'string' || !isRFC3339(value) || Number.isNaN(Date.parse(value)))
    throw invalid(field, 'a time such as 2026-12-31T23:59:59Z');
  if (Date.parse(value) <= Date.now()) throw invalid(field, 'in the future');
}

function invalid(field: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${field} must be ${rule}.`, { param: field });
}

const MAX_RETENTION_DAYS = 365;

/** @throws ApiError invalid_body */
export function assertLimits(limits: AccountLimits): void {
  assertInteger(limits, 'rate_limit_rpm');
  assertInteger(limits, 'max_concurrent_jobs');
  assertInteger(limits, 'retention_days', { max: MAX_RETENTION_DAYS });
}

/** Does not ask the catalog whether the group exists: an account of an unknown group pays the price list. @throws ApiError invalid_body */
export function assertPriceGroup({ price_group }: { price_group: string | null }): void {
  if (price_group !== null && !/^[a-z0-9][a-z0-9._-]{0,63}$/.test(price_group))
    throw invalid('price_group', 'the name of a price group, or null');
}
