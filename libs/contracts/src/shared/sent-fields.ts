import { isRecord } from './is-record';

/**
 * The fields of a body that were sent with a value: null stands for a field that was left out (decisions: Request bodies), also
 * in the items of a list. A deeper null is not of a field, as in metadata, and the rules of its field judge it.
 */
export function sentFields(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const sent = Object.entries(withoutNulls(body)).map(([name, value]) => {
    return [
      name,
      Array.isArray(value) ? value.map((item: unknown) => (isRecord(item) ? withoutNulls(item) : item)) : value,
    ];
  });
  return Object.fromEntries(sent);
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  // The bytes of an image are no fields.
  if (fields instanceof Uint8Array) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
