import { VideoProblem } from '@kinora/videos';
import { UnreadableImage } from '../image/image-decoder';
import { verdicts } from '../moderation.metrics';
import type { Verdict } from './gate';

/** Counts the verdict on a job's content, or the failure to reach one. */
export async function meterVerdict(stage: 'input' | 'output', judge: () => Promise<Verdict>): Promise<Verdict> {
  try {
    const verdict = await judge();
    const engine = verdict.outcome === 'blocked' ? verdict.objection.engine : 'none';
    verdicts.inc({ stage, outcome: verdict.outcome, engine });
    return verdict;
  } catch (error) {
    const isUnreadable = error instanceof UnreadableImage || error instanceof VideoProblem;
    verdicts.inc({ stage, outcome: isUnreadable ? 'unreadable' : 'failed', engine: 'none' });
    throw error;
  }
}
