import { register } from '@kinora/metrics';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { exportsOf, sourceFiles } from '../../source-files';

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary';

export interface DeclaredMetric {
  name: string;
  help: string;
  type: MetricType;
  labels: string[];
  /** How to aggregate over replicas: `max` if all of them read the same value. */
  aggregator: string;
}

export interface MetricSource {
  where: string;
  metrics: DeclaredMetric[];
}

const METRICS = /\.metrics\.ts$/;

interface Registered extends Omit<DeclaredMetric, 'labels' | 'type'> {
  labelNames: string[];
  get: () => Promise<{ type: MetricType }>;
}

/** All metrics of all services, by the folder that declares them; metrics of every process come first. */
export async function declaredMetrics(): Promise<MetricSource[]> {
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  const sources = [{ where: 'Every process', metrics: await Promise.all(ofNode.getMetricsAsArray().map(toDeclared)) }];
  for (const file of [...sourceFiles('libs', METRICS), ...sourceFiles('apps', METRICS)]) {
    const exported = Object.values(await exportsOf(file)) as { name: string }[];
    const names = exported.map(({ name }) => name).sort();
    const metrics = await Promise.all(names.map((name) => toDeclared(register.getSingleMetric(name))));
    sources.push({ where: file.split('/').slice(0, 2).join('/'), metrics });
  }
  return sources;
}

async function toDeclared(metric: unknown): Promise<DeclaredMetric> {
  const registered = metric as Registered;
  const { name, help, labelNames, aggregator } = registered;
  return { name, help, labels: [...labelNames], aggregator, type: (await registered.get()).type };
}
