import { startStopwatch } from '@kinora/metrics';
import { engineDuration } from '../moderation.metrics';
import type { Opinion } from '../judging/engine';
import type { Finding } from '../judging/opinions';

/**
 * Records the duration and the result of one engine call.
 * @returns a callback for the opinion, or for null when the engine failed.
 */
export function startEngineMeter(engine: string, content: Finding['content']): (opinion: Opinion | null) => void {
  const seconds = startStopwatch();
  return (opinion) => engineDuration.of({ engine, content, outcome: outcomeOf(opinion) }).observe(seconds());
}

function outcomeOf(opinion: Opinion | null): string {
  if (opinion === null) return 'failed';
  return opinion.objection === null ? 'passed' : 'objected';
}
