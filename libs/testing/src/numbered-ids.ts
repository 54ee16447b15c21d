const PREFIX = '01900000-0000-7000-8000-';

/** The id of a row by its number. The ids are ordered by number, as ids of jobs are by time. */
export function numberedId(number: number): string {
  return PREFIX + number.toString(16).padStart(12, '0');
}

/** The same id as an SQL expression. */
export function numberedIdSql(number: string): string {
  return `('${PREFIX}' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}
