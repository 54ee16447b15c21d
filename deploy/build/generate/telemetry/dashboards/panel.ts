/** What Grafana calls units. */
export type Unit = 'reqps' | 'percentunit' | 's' | 'short' | 'bytes' | 'ops' | 'none' | 'currencyUSD';

export interface Query {
  expr: string;
  /** Of the labels that tell lines apart, such as `{{model}}`. */
  legend: string;
}

export interface Panel {
  title: string;
  /** One sentence: what it shows, and when to worry. */
  description: string;
  type: 'timeseries' | 'stat';
  unit: Unit;
  queries: Query[];
  /** Where it turns yellow and red, from below. */
  thresholds?: { warning: number; critical: number };
  /** Of the 24 columns. */
  width: number;
  stacked?: boolean;
}

export interface Row {
  title: string;
  panels: Panel[];
}

export interface Dashboard {
  /** Stable, so that links keep working. */
  uid: string;
  title: string;
  description: string;
  rows: Row[];
}

/** Every selector names it, so that one Grafana may show several releases; where there is no such label, `.*` matches too. */
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
