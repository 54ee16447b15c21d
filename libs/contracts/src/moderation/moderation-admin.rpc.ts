import { rpc } from '../shared/contract';
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

export interface ListDecisionsRequest {
  account_id?: string;
  job_id?: string;
  verdict?: string;
  limit?: number;
}

/** For operators: review and appeal. */
export const moderationAdminRpc = {
  /** Newest first; lifted ones too. */
  listStrikes: rpc<{ account_id?: string; limit?: number }, { data: StrikeDetails[] }>('moderation.v1.list_strikes', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
  /** Lifted once: whoever asks again is told how it was. */
  liftStrike: rpc<LiftStrikeRequest, StrikeDetails>('moderation.v1.lift_strike', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'not_found', 'capacity'],
  }),
  /** Newest first. */
  listDecisions: rpc<ListDecisionsRequest, { data: DecisionDetails[] }>('moderation.v1.list_decisions', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
  getDecision: rpc<{ decision_id: string }, DecisionDetails>('moderation.v1.get_decision', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'not_found', 'capacity'],
  }),
} as const;
