import type { Stack } from '../../../deploy/local/stack-file';

/** What all processes of the stack say of a gauge; of several values, as of each model, the largest; 0 where there is none. */
export async function readGauge(name: string, { processes }: Stack): Promise<number> {
  const pages = await Promise.all(Object.values(processes).map(({ health_url }) => readMetrics(health_url)));
  const lines = pages.flatMap((page) => page.split('\n')).filter((line) => /^[a-z_]+/.exec(line)?.[0] === name);
  return Math.max(0, ...lines.map((line) => Number(line.slice(line.lastIndexOf(' ') + 1))));
}

/** Empty for a process that shows none, as a server of others. */
async function readMetrics(healthUrl: string): Promise<string> {
  const answer = await fetch(new URL('/metrics', healthUrl)).catch(() => null);
  return answer?.ok ? await answer.text() : '';
}
