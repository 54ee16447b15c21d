import type { GeneratedFiles } from '../generated-files';
import { type DeclaredMetric, type MetricSource, declaredMetrics } from './declared-metrics';

export const METRICS_PAGE = 'docs/metrics.md';

const INTRODUCTION = `# Metrics

<!-- Written by \`npm run generate\` from the code; never edited. -->

Every process shows these at \`/metrics\` of its internal port, in Prometheus' text format. No label holds an account, a job, a URL, or
anything else that a client chooses.

**Replicas** says how the values of several replicas belong together. Counters and histograms add up, and so do gauges of what a process
itself holds. Every replica reads the same value from the database: take the largest, never the sum. It is read on an
interval by one bounded statement, however often Prometheus asks; while the database is away it is absent.
`;

export async function metricsPage(): Promise<GeneratedFiles> {
  const sources = await declaredMetrics();
  return { [METRICS_PAGE]: [INTRODUCTION, ...sources.map(toSection)].join('\n') };
}

function toSection({ where, metrics }: MetricSource): string {
  const rows = metrics.map(({ name, type, labels, aggregator, help }: DeclaredMetric) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    aggregator === 'sum' ? 'sum' : 'max',
    help.replaceAll('|', '\\|'),
  ]);
  return [`## ${where}`, '', ...toTable(['Metric', 'Type', 'Labels', 'Replicas', 'Meaning'], rows), ''].join('\n');
}

/** As the formatter would write it. */
function toTable(head: string[], rows: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
