import type { DeclaredMetric } from '../../deploy/build/generate/telemetry/declared-metrics';

export interface KnownSeries {
  labels: Set<string>;
  /** Every replica reports the same value, so a sum would count it several times. */
  isReadByAll: boolean;
}

/** The labels that Prometheus itself, or the chart's ServiceMonitor, adds to every series. */
const TARGET_LABELS = ['namespace', 'job', 'pod', 'instance', 'endpoint'];
const WORDS =
  /^(by|ignoring|on|without|and|or|unless|sum|max|min|count|rate|changes|histogram_quantile|time|vector|absent|\d.*|[smhd])$/;
const RECORDED = /\bkinora:\w+:\w+/g;
const SELECTOR = /([a-zA-Z_]\w*)\{([^}]*)\}/g;
const GROUPING = /\b(?:by|ignoring|on|without) \(([^)]*)\)/g;

/** Every series that Prometheus stores for the metrics, by name. */
export function seriesOf(metrics: DeclaredMetric[]): Map<string, KnownSeries> {
  const series = new Map<string, KnownSeries>([['up', { labels: new Set(TARGET_LABELS), isReadByAll: false }]]);
  for (const { name, type, labels, aggregator } of metrics) {
    const known = { labels: new Set([...TARGET_LABELS, ...labels]), isReadByAll: aggregator === 'max' };
    if (type !== 'histogram') series.set(name, known);
    else {
      for (const part of ['_sum', '_count']) series.set(name + part, known);
      series.set(`${name}_bucket`, { ...known, labels: new Set([...known.labels, 'le']) });
    }
  }
  return series;
}

/** The metrics and labels in a query that do not exist, one sentence each. */
export function queryProblems(query: string, series: Map<string, KnownSeries>, recorded: Set<string>): string[] {
  // A text between quotation marks may contain any characters.
  const bare = query.replace(/"[^"]*"/g, '""');
  const selectors = [...bare.matchAll(SELECTOR)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));
  const ofSelectors = selectors.flatMap(({ name, labels }) => {
    const known = series.get(name);
    if (!known) return [`There is no metric ${name}.`];
    return labels.filter((label) => !known.labels.has(label)).map((label) => `${name} has no label ${label}.`);
  });
  const offered = new Set(selectors.flatMap(({ name }) => [...(series.get(name)?.labels ?? [])]));
  const groupings = [...bare.matchAll(GROUPING)].flatMap(([, labels = '']) => labels.split(',').map((it) => it.trim()));
  const rest = bare
    .replace(SELECTOR, ' ')
    .replace(GROUPING, ' ')
    .replace(RECORDED, ' ')
    .replace(/\[[^\]]*\]/g, ' ');
  const strays = (rest.match(/[a-zA-Z_$]\w*/g) ?? []).filter((word) => !WORDS.test(word));
  return [
    ...ofSelectors,
    ...groupings.filter((label) => !offered.has(label)).map((label) => `Nothing in the query has a label ${label}.`),
    ...strays.map((word) => `${word} is neither a selector with braces nor a function.`),
    ...(bare.match(RECORDED) ?? []).filter((name) => !recorded.has(name)).map((name) => `No rule records ${name}.`),
    ...[...bare.matchAll(/\bsum(?: by \([^)]*\) )?\(([a-zA-Z_]\w*)\{/g)]
      .filter(([, name = '']) => series.get(name)?.isReadByAll === true)
      .map(([, name]) => `Every replica reports the same ${name}: use max instead of sum.`),
  ];
}
