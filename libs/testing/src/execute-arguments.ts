type Scalar = string | number | boolean | Date | Buffer | null | undefined;

/** Values as literals for EXECUTE, which accepts no parameters. */
export function toExecuteArguments(values: unknown[]): string {
  return values.length === 0 ? '' : `(${values.map(toLiteral).join(', ')})`;
}

function toLiteral(value: unknown): string {
  const text = Array.isArray(value) ? `{${value.map(toElement).join(',')}}` : toText(value as Scalar);
  return text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
}

function toElement(value: Scalar): string {
  const text = toText(value);
  return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function toText(value: Scalar): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return value instanceof Date ? value.toISOString() : String(value);
}
