import type { UpstreamStatus } from '@kinora/compute';
import { startStopwatch } from '@kinora/metrics';
import { providerCallDuration } from '../jobs.metrics';

/** Measures one call of a provider. An exception is a bug of jobs and counts as no outcome of the provider. */
export async function meterCall<Answer>(
  provider: { id: string },
  operation: 'submit' | 'status' | 'cancel',
  call: () => Promise<Answer>,
  outcomeOf: (answer: Answer) => string,
): Promise<Answer> {
  const seconds = startStopwatch();
  const answer = await call();
  providerCallDuration.of({ provider: provider.id, operation, outcome: outcomeOf(answer) }).observe(seconds());
  return answer;
}

/** One request polls many tasks. It counts as unreachable if it returns no state for any of them. */
export function outcomeOfStatuses(statuses: Map<string, UpstreamStatus>): 'ok' | 'unreachable' {
  const isReached = statuses.size === 0 || [...statuses.values()].some(({ state }) => state !== 'unreachable');
  return isReached ? 'ok' : 'unreachable';
}
