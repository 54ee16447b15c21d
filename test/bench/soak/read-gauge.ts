import type { Stack } from '../../../deploy/local/stack-file';

/**
 * The value of a gauge over all processes of the stack. Of several values, for example one per model, the largest; 0 without
 * any.
 */
export async function readGauge(name: string, { processes }: Stack): Promise<number> {
  const pages = await Promise.all(Object.values(processes).map(({ health_url }) => readMetrics(health_url)));
  const lines = pages.flatMap((page) => page.split('\n')).filter((line) => /^[a-z_]+/.exec(line)?.[0] === name);
  return Math.max(0, ...lines.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1))));
}

/** Empty for a process that serves no metrics, for example a database server. */
async function readMetrics(healthUrl: string): Promise<string> {
  const answer = await fetch(new URL('/metrics', healthUrl)).catch(() => null);
  return answer?.ok ? await answer.text() : '';
}
