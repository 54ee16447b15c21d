import type { GeneratedFiles } from '../generated-files';
import { toTable } from '../markdown-table';
import { type DeclaredMetric, type MetricSource, declaredMetrics } from './declared-metrics';

export const METRICS_PAGE = 'docs/metrics.md';

const INTRODUCTION = `# Metrics

<!-- Written by \`npm run generate\` from the code; never edited. -->

Every process serves these at \`/metrics\` of its internal port, beside those of its Node process (\`process_*\`, \`nodejs_*\`). No label
contains an account, a job, a URL, or any other value that a client chooses.

Sum over replicas, except for those marked **max**: every replica reads the same value from the database, on an interval by one bounded
statement. They are absent while the database is away.
`;

/** Those of the client for Prometheus, whose documentation describes them. */
const OF_NODE = /^(?:process|nodejs)_/;

export async function metricsPage(): Promise<GeneratedFiles> {
  const sources = (await declaredMetrics()).map(({ where, metrics }) => ({
    where,
    metrics: metrics.filter(({ name }) => !OF_NODE.test(name)),
  }));
  const sections = sources.filter(({ metrics }) => metrics.length > 0).map(toSection);
  return { [METRICS_PAGE]: [INTRODUCTION, ...sections].join('\n') };
}

function toSection({ where, metrics }: MetricSource): string {
  const rows = metrics.map(({ name, type, labels, aggregator, help }: DeclaredMetric) => [
    `\`${name}\``,
    aggregator === 'sum' ? type : `${type}, **max**`,
    labels.map((label) => `\`${label}\``).join(', '),
    help.replaceAll('|', '\\|'),
  ]);
  return [`## ${where}`, '', ...toTable(['Metric', 'Type', 'Labels', 'Meaning'], rows), ''].join('\n');
}
