import { startStopwatch } from '@kinora/metrics';
import { engineDuration } from '../moderation.metrics';
import type { Opinion } from '../judging/engine';
import type { Finding } from '../judging/opinions';

/**
 * Tells Prometheus how long an engine took, and what came of it.
 * @returns to be called with its opinion, or with null when it failed to have one.
 */
export function startEngineMeter(engine: string, content: Finding['content']): (opinion: Opinion | null) => void {
  const seconds = startStopwatch();
  return (opinion) => engineDuration.of({ engine, content, outcome: outcomeOf(opinion) }).observe(seconds());
}

function outcomeOf(opinion: Opinion | null): string {
  if (opinion === null) return 'failed';
  return opinion.objection === null ? 'passed' : 'objected';
}
