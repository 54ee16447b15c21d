import type { GeneratedFiles } from '../generated-files';
import { type DeclaredMetric, type MetricSource, declaredMetrics } from './declared-metrics';

export const METRICS_PAGE = 'docs/metrics.md';

const INTRODUCTION = `# Metrics

<!-- Written by \`npm run generate\` from the code; never edited. -->

Every process serves these, each with its type and labels, at \`/metrics\` of its internal port, beside those of its Node process
(\`process_*\`, \`nodejs_*\`). No label contains an account, a job, a URL, or any other value that a client chooses.

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
  return [`## ${where}`, '', ...metrics.map(toLine), ''].join('\n');
}

function toLine({ name, type, labels, aggregator, help }: DeclaredMetric): string {
  const facts = [type, ...(aggregator === 'sum' ? [] : ['**max**']), ...labels.map((label) => `\`${label}\``)];
  return `- \`${name}\` (${facts.join(', ')}): ${help}`;
}
