import { Form } from '../http/multipart/form';

/** The fields that are no texts in JSON. */
export interface FieldTypes {
  numbers?: readonly string[];
  booleans?: readonly string[];
}

/**
 * The fields of a form as JSON would have them, and files as lists of their bytes. A text that is no number or boolean stays, and the
 * validation of the body refuses it. Any other body stays as it is.
 */
export function toFields(received: unknown, { numbers = [], booleans = [] }: FieldTypes): unknown {
  if (!(received instanceof Form)) return received;
  const fields = [...received.values].map(([name, value]) => {
    if (value instanceof Map) return [name, Object.fromEntries(value as Map<string, string>)];
    if (typeof value !== 'string') return [name, value];
    if (numbers.includes(name) && NUMBER.test(value)) return [name, Number(value)];
    return [name, booleans.includes(name) && BOOLEAN.test(value) ? value === 'true' : value];
  });
  return Object.fromEntries(fields);
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const BOOLEAN = /^(?:true|false)$/;
