/** Grafana's names of units. */
export type Unit = 'reqps' | 'percentunit' | 's' | 'short' | 'bytes' | 'ops' | 'none' | 'currencyUSD';

export interface Query {
  expr: string;
  /** Built from the labels of a series, such as `{{model}}`. */
  legend: string;
}

export interface Panel {
  title: string;
  /** One sentence: what it shows, and which values are bad. */
  description: string;
  type: 'timeseries' | 'stat';
  unit: Unit;
  queries: Query[];
  /** Values at which it turns yellow and red, in ascending order. */
  thresholds?: { warning: number; critical: number };
  /** The width in Grafana's 24 columns. */
  width: number;
  stacked?: boolean;
}

export interface Row {
  title: string;
  panels: Panel[];
}

export interface Dashboard {
  /** Stable, so that links remain valid. */
  uid: string;
  title: string;
  description: string;
  rows: Row[];
}

/** Part of every selector, so that one Grafana can show several releases; `.*` also matches a missing label. */
export const HERE = 'namespace=~"$namespace"';

export const rate = (metric: string, labels = ''): string =>
  `rate(${metric}{${[HERE, labels].filter(Boolean).join(', ')}}[$__rate_interval])`;

export const gauge = (metric: string, labels = ''): string => `${metric}{${[HERE, labels].filter(Boolean).join(', ')}}`;

/** A quantile over all replicas, by labels. */
export function quantile(share: number, histogram: string, by: string[] = [], labels = ''): string {
  return `histogram_quantile(${share}, sum by (${['le', ...by].join(', ')}) (${rate(`${histogram}_bucket`, labels)}))`;
}

export function lines(title: string, unit: Unit, description: string, queries: Query[], rest?: Partial<Panel>): Panel {
  return { title, unit, description, queries, type: 'timeseries', width: 8, ...rest };
}

export function number(title: string, unit: Unit, description: string, expr: string, rest?: Partial<Panel>): Panel {
  return { title, unit, description, queries: [{ expr, legend: title }], type: 'stat', width: 4, ...rest };
}
