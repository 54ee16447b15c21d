/** A JSON object or a YAML map. Null and lists, whose `typeof` is `object` too, are excluded. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
