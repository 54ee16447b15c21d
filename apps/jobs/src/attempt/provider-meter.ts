import type { UpstreamStatus } from '@kinora/compute';
import { startStopwatch } from '@kinora/metrics';
import { providerCallDuration } from '../jobs.metrics';

/** Measures one call of a provider; whatever it throws is a mistake of ours, and no news of the provider. */
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

/** One request asks for many tasks: the provider was not reached where it spoke of none of them. */
export function outcomeOfStatuses(statuses: Map<string, UpstreamStatus>): 'ok' | 'unreachable' {
  const isReached = statuses.size === 0 || [...statuses.values()].some(({ state }) => state !== 'unreachable');
  return isReached ? 'ok' : 'unreachable';
}
