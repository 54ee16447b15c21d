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

/** Dollars as typed, in micro-USD; null if the text is no amount or has more than six decimals. */
export function parseDollars(text: string): number | null {
  const match = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text.trim().replaceAll(',', ''));
  if (!match) return null;
  return Number(match[1]) * MICROS_OF_DOLLAR + Number((match[2] ?? '').padEnd(6, '0'));
}
