import type { ReplayedChange } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { type RecordedDecision, type ReplayedDecision, replayDecision } from './replay-decision';
import type { EnginePolicy } from '../engines/engine-policy';

/** The number of example decisions for each kind of change. */
const MAX_NAMED = 5;

/** A recorded decision with its id. */
export type ReplayableDecision = RecordedDecision & { decision_id: string };

/** The changes, counted by stage, engine and reason; unchanged decisions are left out. */
export function countChanges(
  decisions: readonly ReplayableDecision[],
  policy: readonly EnginePolicy[],
): ReplayedChange[] {
  const changes = new Map<string, ReplayedChange>();
  for (const decision of decisions) {
    const replay = replayDecision(decision, policy);
    if (replay.verdict === decision.verdict) continue;
    const change = toChange(decision, replay);
    const key = JSON.stringify(change);
    const known = changes.get(key) ?? { ...change, decisions: 0, decision_ids: [] };
    known.decisions += 1;
    if (known.decision_ids.length < MAX_NAMED) known.decision_ids.push(decision.decision_id);
    changes.set(key, known);
  }
  return [...changes.values()];
}

/** The engine that would block now, or that blocked before; or why the record cannot show it. */
function toChange(
  decision: RecordedDecision,
  { verdict, engine, reason }: ReplayedDecision,
): Omit<ReplayedChange, 'decisions' | 'decision_ids'> {
  const cause = verdict === 'passed' ? decision : { engine, reason };
  return { stage: decision.stage, from: decision.verdict, to: verdict, engine: cause.engine, reason: cause.reason };
}
