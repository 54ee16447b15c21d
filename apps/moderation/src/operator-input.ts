import { isUUID } from 'class-validator';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isStorableText } from '@kinora/contracts/shared/texts';

const MAX_LIMIT = 1_000;
const REASON_CHARS = { min: 1, max: 500 };

/** Validates input that operators type. Each check names the field; null is accepted where the field is optional. */
export function assertUuid(param: string, value: string | null): void {
  if (value !== null && !isUUID(value)) throw invalidField(param, 'a UUID');
}

export function assertLimit(limit: number, most = MAX_LIMIT): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > most) throw invalidField('limit', `from 1 to ${most}`);
}

/** A text of white space alone is no reason. */
export function isReason(text: unknown): text is string {
  return isStorableText(text, REASON_CHARS) && text.trim() !== '';
}

export function invalidField(param: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${param} must be ${rule}.`, { param });
}
