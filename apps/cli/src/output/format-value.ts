import { formatUsd } from '@kinora/contracts/shared/money';

const MICROS = /_micros$/;

/** The name of a field on the screen. */
export function formatName(field: string): string {
  return field.replace(MICROS, '').replaceAll('_', ' ');
}

export function formatValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (MICROS.test(field) && typeof value === 'number') return formatUsd(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
