import type { ProbeReport } from '../compute-provider.port';
import type { InstanceConnection } from './instance-connection';

const PROBE_TIMEOUT_MS = 5_000;
const MAX_PROBE_BYTES = 4 * 1024 * 1024;

/** Probes an instance by requests that a healthy one answers with 200; the first other answer is reported. */
export async function probeByRequests(connection: InstanceConnection, paths: string[]): Promise<ProbeReport> {
  for (const to of paths) {
    const problem = await findProblem(connection, to);
    if (problem !== null) return problem;
  }
  return { state: 'up', problems: [] };
}

async function findProblem(connection: InstanceConnection, to: string): Promise<ProbeReport | null> {
  const request = { method: 'GET', to, timeoutMs: PROBE_TIMEOUT_MS, maxAnswerBytes: MAX_PROBE_BYTES } as const;
  const answer = await connection.send(request).catch(() => null);
  if (answer === null) return { state: 'down', problems: ['The backend does not answer.'] };
  return findStatusProblem(answer.status, to);
}

/** The problem that the operator should fix, by the status of a probe request; null for 200. */
export function findStatusProblem(status: number, path: string): ProbeReport | null {
  if (status === 200) return null;
  if ([401, 402, 403].includes(status))
    return { state: 'down', problems: [`The backend refuses the instance's headers with ${status}: check its key.`] };
  if (status === 404)
    return { state: 'degraded', problems: [`The backend has no ${path}: check the instance's url and its type.`] };
  if (status === 429 || status === 503)
    return { state: 'degraded', problems: [`The backend is full or not ready: it answers ${path} with ${status}.`] };
  return { state: 'down', problems: [`The backend answers ${path} with ${status}.`] };
}
