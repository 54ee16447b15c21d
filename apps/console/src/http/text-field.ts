import { ApiError } from '@kinora/contracts/shared/errors';

/** A required text of a body. @throws ApiError invalid_body that names the field */
export function textField(body: unknown, field: string, maxChars: number): string {
  const value: unknown =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  if (typeof value === 'string' && value.length > 0 && value.length <= maxChars) return value;
  throw new ApiError('invalid_body', `${field} must be a text of 1 to ${maxChars} characters.`, { param: field });
}
