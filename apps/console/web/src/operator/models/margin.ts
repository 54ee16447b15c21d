/** Parts of the price that remain after the cost: 0.25 is a quarter. */
export interface Margin {
  lowest: number;
  highest: number;
}

/** Null where the price is 0 or unknown, or the catalog does not say what a route costs. */
export function marginOf(priceMicros: number | null, routes: readonly { cost_micros?: number }[]): Margin | null {
  if (!priceMicros) return null;
  const costs = routes.map(({ cost_micros }) => cost_micros);
  if (costs.length === 0 || !costs.every((cost) => cost !== undefined)) return null;
  const of = (cost: number) => (priceMicros - cost) / priceMicros;
  return { lowest: of(Math.max(...costs)), highest: of(Math.min(...costs)) };
}

/** `25 %`, or `−5 to 40 %` where routes differ. */
export function formatMargin({ lowest, highest }: Margin): string {
  const [from, to] = [percentOf(lowest), percentOf(highest)];
  return from === to ? `${from} %` : `${from} to ${to} %`;
}

const percentOf = (part: number) => String(Math.round(part * 100)).replace('-', '−');
