import type { GeneratedFiles } from '../generated-files';
import { toTable } from '../markdown-table';
import { type DeclaredMetric, type MetricSource, declaredMetrics } from './declared-metrics';

export const METRICS_PAGE = 'docs/metrics.md';

const INTRODUCTION = `# Metrics

<!-- Written by \`npm run generate\` from the code; never edited. -->

Every process serves these at \`/metrics\` of its internal port, in Prometheus' text format. No label contains an account, a job, a URL, or
any other value that a client chooses.

**Replicas** is the aggregation over replicas. Counters, histograms and gauges of a process's own state are summed. For values from the
database, which every replica reads, use the largest, never the sum. They are read on an interval by one bounded statement,
independent of the number of scrapes. While the database is away they are absent.
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
