const PREFIX = '01900000-0000-7000-8000-';

/** The id of a row by its number: in the order of the numbers, as ids of jobs are in that of time. */
export function numberedId(number: number): string {
  return PREFIX + number.toString(16).padStart(12, '0');
}

/** The same where SQL counts. */
export function numberedIdSql(number: string): string {
  return `('${PREFIX}' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}
