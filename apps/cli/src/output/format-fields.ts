import { formatName, formatValue } from './format-value';

/** One line for each field, with the values aligned. */
export function formatFields(record: object): string {
  const lines = Object.entries(record).map(([field, value]) => [formatName(field), formatValue(field, value)] as const);
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}
