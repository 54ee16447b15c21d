/** What a spreadsheet takes for the beginning of a formula; some take the full-width signs, too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",;\r\n]/;

export type Cell = string | number | null;

/** A line of RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  const text = String(cell ?? '');
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Micros as dollars with all their digits: a floating-point number would round them. */
export function usdOf(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
