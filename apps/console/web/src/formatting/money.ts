const MICROS_OF_DOLLAR = 1_000_000;

/** The exact amount in dollars: at least two decimals, and as many of the six as the amount needs. */
export function formatMoney(micros: number, { sign = false } = {}): string {
  const absolute = Math.abs(micros);
  const dollars = Math.floor(absolute / MICROS_OF_DOLLAR).toLocaleString('en-US');
  const decimals = String(absolute % MICROS_OF_DOLLAR)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  const prefix = micros < 0 ? '−' : sign && micros > 0 ? '+' : '';
  return `${prefix}$${dollars}.${decimals}`;
}

/** A comma separates thousands only: `2,50` is no amount, because some readers mean 2.50 by it. */
const DOLLARS = /^\$?(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,6}))?$/;

/** Dollars as typed, in micro-USD; null if the text is no amount or has more than six decimals. */
export function parseDollars(text: string): number | null {
  const [, dollars, decimals = ''] = DOLLARS.exec(text.trim()) ?? [];
  if (dollars === undefined) return null;
  return Number(dollars.replaceAll(',', '')) * MICROS_OF_DOLLAR + Number(decimals.padEnd(6, '0'));
}
