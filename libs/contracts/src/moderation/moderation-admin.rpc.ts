import { rpc } from '../shared/contract';
import type { PageRequest, PartialList } from '../shared/page';
import type { OperatorRequest } from '../billing/operator-action';

export interface StrikeDetails {
  strike_id: string;
  account_id: string;
  job_id: string;
  decision_id: string;
  created_at: string;
  lifted_at: string | null;
  lifted_by: string | null;
  lift_reason: string | null;
}

export interface LiftStrikeRequest extends OperatorRequest {
  strike_id: string;
}

export interface DecisionFinding {
  content: 'text' | 'image' | 'video';
  content_sha256: string;
  engine: string;
  objection: string | null;
  /** Whether only a score of the engine has reached a threshold; absent from decisions of before it was recorded. */
  by_threshold?: boolean;
  /** By the names and in the scale of the engine. */
  scores: Record<string, number>;
}

/** What an operator may know of a decision: never what was judged, only its hashes. */
export interface DecisionDetails {
  decision_id: string;
  account_id: string;
  job_id: string;
  stage: 'input' | 'output';
  verdict: 'passed' | 'blocked';
  engine: string | null;
  reason: string | null;
  content_sha256: string[];
  /** Null, like the two below, for decisions from before they were recorded. */
  policy_version: string | null;
  engines: Record<string, string> | null;
  findings: DecisionFinding[] | null;
  created_at: string;
}

export interface ListStrikesRequest extends PageRequest {
  account_id?: string;
  limit?: number;
}

export interface ListDecisionsRequest extends PageRequest {
  account_id?: string;
  job_id?: string;
  verdict?: string;
  limit?: number;
}

export interface ReplayPolicyRequest {
  /** A moderation.yaml as it might be put in force. */
  policy: string;
  /** Decisions from then on; all there are if absent. */
  since?: string;
  /** Where the last page ended. */
  before_decision_id?: string;
}

/** `unknown`: what is on record cannot tell, such as what an engine would say that was not asked then. */
export type ReplayedVerdict = DecisionDetails['verdict'] | 'unknown';

/** Decisions that would turn alike. */
export interface ReplayedChange {
  stage: DecisionDetails['stage'];
  from: DecisionDetails['verdict'];
  to: ReplayedVerdict;
  /** That would block now, or had blocked before; or that nobody can speak for. */
  engine: string | null;
  reason: string | null;
  decisions: number;
  /** The newest of them. */
  decision_ids: string[];
}

export interface PolicyReplay {
  checked: number;
  changes: ReplayedChange[];
  /** Engines whose findings were taken as they are: they need the content, of which only hashes are kept. */
  as_recorded: string[];
  /** Null where there are no more. */
  next_before_decision_id: string | null;
}

/** For operators: review and appeal. */
export const moderationAdminRpc = {
  /** Newest first; lifted ones too. */
  listStrikes: rpc<ListStrikesRequest, PartialList<StrikeDetails>>('moderation.v1.list_strikes', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
  /** Lifted once: whoever asks again is told how it was. */
  liftStrike: rpc<LiftStrikeRequest, StrikeDetails>('moderation.v1.lift_strike', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'not_found', 'capacity'],
  }),
  /** Newest first. */
  listDecisions: rpc<ListDecisionsRequest, PartialList<DecisionDetails>>('moderation.v1.list_decisions', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
  getDecision: rpc<{ decision_id: string }, DecisionDetails>('moderation.v1.get_decision', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'not_found', 'capacity'],
  }),
  /** What another policy would make of decisions on record, a page at a time, back in time. */
  replayPolicy: rpc<ReplayPolicyRequest, PolicyReplay>('moderation.v1.replay_policy', {
    timeoutMs: 10_000,
    errors: ['invalid_body', 'capacity'],
  }),
} as const;
