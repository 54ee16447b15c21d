import { createHmac } from 'node:crypto';
import { isEmail } from 'class-validator';
import { ApiError } from '@kinora/contracts/shared/errors';

const MAX_CHARS = 254;
const QUOTED = /[\s"<>()[\],;:\\]/;

/** The address in lower case. @throws ApiError invalid_body */
export function readEmail(value: unknown): string {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : '';
  // Neither quoted names nor letters beyond ASCII: several of them look alike, and a quote could end a header.
  if (
    email.length <= MAX_CHARS &&
    !QUOTED.test(email) &&
    isEmail(email, { require_tld: false, allow_utf8_local_part: false })
  )
    return email;
  throw new ApiError('invalid_body', 'email must be an address such as ada@example.com.', { param: 'email' });
}

/**
 * By which sign-ups are limited: the registered name, because its owner makes any number of names below it. Without a
 * list of public suffixes, a short second label (`co.uk`) counts as one.
 */
export function registeredDomain(email: string): string {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  const isShort = labels.length > 2 && (labels.at(-2) ?? '').length <= 3 && (labels.at(-1) ?? '').length === 2;
  return labels.slice(isShort ? -3 : -2).join('.');
}

/** The same for `a.b+c@gmail.com` and `ab@googlemail.com`: a person has any number of such addresses. One for each pepper. */
export function hashesOfPerson(peppers: readonly string[], email: string): Buffer[] {
  const at = email.lastIndexOf('@');
  const [name = ''] = email.slice(0, at).split('+', 1);
  const domain = email.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  const person = `sign-up credit ${name.replaceAll('.', '')}@${domain}`;
  return peppers.map((pepper) => createHmac('sha256', pepper).update(person).digest());
}
