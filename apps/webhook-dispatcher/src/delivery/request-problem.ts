import { ApiError } from '@kinora/contracts/shared/errors';
import { isUUID } from 'class-validator';

const MAX_LIMIT = 1_000;

export function invalidField(param: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${param} must be ${rule}.`, { param });
}

export function assertUuid(param: string, value: string | null): void {
  if (value !== null && !isUUID(value)) throw invalidField(param, 'a UUID');
}

export function assertLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw invalidField('limit', `from 1 to ${MAX_LIMIT}`);
}

/** Refuses a cursor that is not a number of items, which is what the pages of this list count. */
export function assertPlace(param: string, value: string): void {
  if (!/^\d{1,9}$/.test(value)) throw invalidField(param, 'the next_cursor of a page');
}

export function deliveryNotFound(): ApiError {
  return new ApiError('not_found', 'There is no such delivery.');
}
