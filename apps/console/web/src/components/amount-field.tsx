import { ApiError } from '../api/client';
import { parseDollars } from '../formatting/format';
import { TextField, type TextProps } from './fields';

/** The amount that is typed, in micro-USD. @throws ApiError that names the field */
export function microsOf(text: string, param = 'amount_micros'): number {
  const micros = parseDollars(text);
  if (micros !== null && micros > 0) return micros;
  throw new ApiError('Write an amount such as 25 or 2.50.', 0, 'invalid_body', param);
}

/** The same, of a field that may be empty. */
export const optionalMicrosOf = (text: string, param?: string) => (text.trim() === '' ? null : microsOf(text, param));

export const AmountField = (props: Omit<TextProps, 'label'> & { label?: string }) => (
  <TextField label="Amount (USD)" name="amount_micros" inputMode="decimal" {...props} />
);
