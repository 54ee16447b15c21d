import { verdicts } from '../moderation.metrics';
import type { Verdict } from './gate';

/** Tells Prometheus what the gate said of a job's content, or that it could not say. */
export async function meterVerdict(stage: 'input' | 'output', judge: () => Promise<Verdict>): Promise<Verdict> {
  try {
    const verdict = await judge();
    const engine = verdict.outcome === 'blocked' ? verdict.objection.engine : 'none';
    verdicts.inc({ stage, outcome: verdict.outcome, engine });
    return verdict;
  } catch (error) {
    verdicts.inc({ stage, outcome: 'failed', engine: 'none' });
    throw error;
  }
}
