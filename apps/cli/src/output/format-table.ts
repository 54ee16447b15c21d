import { formatName, formatValue } from './format-value';

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
