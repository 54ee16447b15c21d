import {
  type PolicyReplay,
  type ReplayPolicyRequest,
  type ReplayedChange,
  moderationAdminRpc,
} from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { StackClient } from '../stack/stack-client';

export type ReplayReport = Pick<PolicyReplay, 'checked' | 'changes' | 'as_recorded'>;

/** How many decisions of each kind are listed. */
const MAX_NAMED = 5;

/** Requests the replay page by page, for any number of decisions, and adds the pages up. */
export async function replayDecisions(
  stack: StackClient,
  request: Omit<ReplayPolicyRequest, 'before_decision_id'>,
): Promise<ReplayReport> {
  const { next_before_decision_id: first, ...report } = await stack.request(moderationAdminRpc.replayPolicy, request);
  for (let next = first; next !== null;) {
    const more = await stack.request(moderationAdminRpc.replayPolicy, { ...request, before_decision_id: next });
    report.checked += more.checked;
    for (const change of more.changes) addTo(report.changes, change);
    next = more.next_before_decision_id;
  }
  return report;
}

function addTo(changes: ReplayedChange[], change: ReplayedChange): void {
  const known = changes.find((other) => kindOf(other) === kindOf(change));
  if (!known) return void changes.push(change);
  known.decisions += change.decisions;
  known.decision_ids = [...known.decision_ids, ...change.decision_ids].slice(0, MAX_NAMED);
}

function kindOf({ stage, from, to, engine, reason }: ReplayedChange): string {
  return JSON.stringify([stage, from, to, engine, reason]);
}
