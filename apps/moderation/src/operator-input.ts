import { isUUID } from 'class-validator';
import { ApiError } from '@kinora/contracts/shared/errors';

const MAX_LIMIT = 1_000;
const MAX_REASON_CHARS = 500;

/** What operators send was typed by hand. Each check names the field and lets pass what is left out. */
export function assertUuid(param: string, value: string | null): void {
  if (value !== null && !isUUID(value)) throw invalidField(param, 'a UUID');
}

export function assertLimit(limit: number, most = MAX_LIMIT): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > most) throw invalidField('limit', `from 1 to ${most}`);
}

/** U+0000 cannot be stored, and a text that says nothing explains nothing. */
export function isReason(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '' && text.length <= MAX_REASON_CHARS && !text.includes('\0');
}

export function invalidField(param: string, rule: string): ApiError {
  return new ApiError('invalid_body', `${param} must be ${rule}.`, { param });
}
