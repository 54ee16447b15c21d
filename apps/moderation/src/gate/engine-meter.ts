import { startStopwatch } from '@kinora/metrics';
import { engineDuration } from '../moderation.metrics';
import type { Opinion } from './engine';
import type { Finding } from './opinions';

/** Tells Prometheus how long an engine took, and what came of it. */
export async function meterEngine(
  engine: string,
  content: Finding['content'],
  judge: () => Opinion | Promise<Opinion>,
): Promise<Opinion> {
  const seconds = startStopwatch();
  let outcome = 'failed';
  try {
    const opinion = await judge();
    outcome = opinion.objection === null ? 'passed' : 'objected';
    return opinion;
  } finally {
    engineDuration.of({ engine, content, outcome }).observe(seconds());
  }
}
