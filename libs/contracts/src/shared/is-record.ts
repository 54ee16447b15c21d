/** A JSON object or a YAML map, and so neither null nor a list, both of which have the type `object` too. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
