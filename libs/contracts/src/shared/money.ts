/**
 * Micro-USD: 1 USD = 1,000,000. Always a safe integer: nine billion dollars fit.
 * @asType integer
 */
export type Micros = number;

export const MICROS_PER_USD = 1_000_000;

/** The `*_usd` number that views show beside the `*_micros` integer. */
export function toUsd(micros: Micros): number {
  return micros / MICROS_PER_USD;
}

/** An amount for display: at least cents, and every digit. */
export function formatUsd(micros: Micros): string {
  return `${toUsd(micros)
    .toFixed(6)
    .replace(/0{1,4}$/, '')} USD`;
}

/** Parses "10", "0.25" or "1.000001" exactly, without floating point; null for anything else. */
export function parseUsd(text: string): Micros | null {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  return Number(match[1]) * MICROS_PER_USD + Number((match[2] ?? '').padEnd(6, '0'));
}
