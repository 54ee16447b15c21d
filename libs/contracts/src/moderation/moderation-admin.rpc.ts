import type { OperatorRequest } from '../billing/operator-action';
import { rpc } from '../shared/contract';
import type { PageRequest, PartialList } from '../shared/page';
import type { RetentionPlan } from '../shared/retention';

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
  /** Whether only an engine's score has reached a threshold. Absent from decisions made before this field was recorded. */
  by_threshold?: boolean;
  /** Scores with the engine's own names and scale. */
  scores: Record<string, number>;
}

/** The part of a decision that operators may see: hashes of the content, never the content itself. */
export interface DecisionDetails {
  decision_id: string;
  account_id: string;
  job_id: string;
  stage: 'input' | 'output';
  verdict: 'passed' | 'blocked';
  engine: string | null;
  reason: string | null;
  content_sha256: string[];
  /** Null, like the two below, for decisions made before they were recorded. */
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
  /** A moderation.yaml to try before it is put in force. */
  policy: string;
  /** Decisions from this time on; all if absent. */
  since?: string;
  /** The cursor of the previous page. */
  before_decision_id?: string;
}

/** `unknown`: the records are not sufficient, for example for an engine that was not called then. */
export type ReplayedVerdict = DecisionDetails['verdict'] | 'unknown';

/** Decisions with the same outcome under both policies. */
export interface ReplayedChange {
  stage: DecisionDetails['stage'];
  from: DecisionDetails['verdict'];
  to: ReplayedVerdict;
  /** Decisions that would be blocked now, that were blocked before, or whose outcome is unknown. */
  engine: string | null;
  reason: string | null;
  decisions: number;
  /** The newest of them. */
  decision_ids: string[];
}

export interface PolicyReplay {
  checked: number;
  changes: ReplayedChange[];
  /** Engines whose recorded findings were reused: they need the content, of which only hashes are kept. */
  as_recorded: string[];
  /** Null at the end. */
  next_before_decision_id: string | null;
}

/** For operators: review and appeal. */
export const moderationAdminRpc = {
  /** Newest first, with the lifted ones. */
  listStrikes: rpc<ListStrikesRequest, PartialList<StrikeDetails>>('moderation.v1.list_strikes', {
    errors: ['invalid_body'],
  }),
  /** Lifts a strike. Idempotent: a repeated request returns the first result. */
  liftStrike: rpc<LiftStrikeRequest, StrikeDetails>('moderation.v1.lift_strike', {
    errors: ['invalid_body', 'not_found'],
  }),
  /** Newest first. */
  listDecisions: rpc<ListDecisionsRequest, PartialList<DecisionDetails>>('moderation.v1.list_decisions', {
    errors: ['invalid_body'],
  }),
  getDecision: rpc<{ decision_id: string }, DecisionDetails>('moderation.v1.get_decision', {
    errors: ['invalid_body', 'not_found'],
  }),
  /** What another policy would decide about recorded decisions, a page at a time, newest first. */
  replayPolicy: rpc<ReplayPolicyRequest, PolicyReplay>('moderation.v1.replay_policy', {
    timeoutMs: 10_000,
    errors: ['invalid_body'],
  }),
  /** What retention drops of the decisions. */
  planRetention: rpc<Record<string, never>, RetentionPlan>('moderation.v1.plan_retention'),
} as const;

export const rehearsalRpc = {
  /**
   * From now on a block of moderation's own test material (`[[output:blocked]]` at the sandbox) records no strike for this
   * account. Any other block still does. The local stack enables this for its demo account; a repeated request changes nothing.
   */
  allow: rpc<{ account_id: string }, Record<string, never>>('moderation.v1.allow_rehearsal', {
    errors: ['invalid_body'],
  }),
} as const;
