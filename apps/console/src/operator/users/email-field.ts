import { ApiError } from '@kinora/contracts/shared/errors';
import { isEmail } from 'class-validator';
import { textField } from '../../http/text-field';

/** The longest actor that other services store. */
const EMAIL_MAX_CHARS = 100;

/** The address of an operator, in lower case. @throws ApiError invalid_body */
export function emailField(body: unknown): string {
  const email = textField(body, 'email', EMAIL_MAX_CHARS).trim().toLowerCase();
  if (!isEmail(email, { require_tld: false }))
    throw new ApiError('invalid_body', 'email must be an address.', { param: 'email' });
  return email;
}
