import { formatUsd } from '@kinora/contracts/shared/money';
import type { PartialList } from '@kinora/contracts/shared/page';

const MICROS = /_micros$/;

export function formatName(field: string): string {
  return field.replace(MICROS, '').replaceAll('_', ' ');
}

export function formatValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (MICROS.test(field) && typeof value === 'number') return formatUsd(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** One line for each field, with the values aligned. */
export function formatFields(record: object): string {
  const lines = Object.entries(record).map(([field, value]) => [formatName(field), formatValue(field, value)] as const);
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

/** One line for each row, below the names of the columns. */
export function formatTable<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): string {
  if (rows.length === 0) return 'None.';
  const cells = rows.map((row) => columns.map((column) => formatValue(column, row[column])));
  const lines = [columns.map(formatName), ...cells];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The output of a command: for programs (`--json`) and as text. */
export interface Report {
  value: unknown;
  text: string;
  /** The command worked and found a problem: the exit code is 1. */
  failed?: boolean;
}

export function describe(record: object): Report {
  return { value: record, text: formatFields(record) };
}

/** The text of a list with more pages ends with the flag that reads the next page. */
export function tabulate<Row extends object>(page: PartialList<Row>, columns: readonly (keyof Row & string)[]): Report {
  const table = formatTable(page.data, columns);
  return {
    value: page,
    text: (page.next_cursor ?? null) === null ? table : `${table}\nMore: --cursor ${page.next_cursor}`,
  };
}
