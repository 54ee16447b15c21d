import { rpc } from '../shared/contract';

/** Problems of a check that are kept: more of them show nothing new, and would exceed a message. */
export const CHECK_PROBLEMS_MAX = 20;

/** The checks of the command line whose last results the operators' overview shows. */
export const CHECKS = ['doctor', 'ledger_verify'] as const;
export type Check = (typeof CHECKS)[number];

export interface RecordCheckRequest {
  check: Check;
  ok: boolean;
  /** What was checked: `14 checks`. At most 200 characters. */
  summary: string;
  /** What failed: the first `CHECK_PROBLEMS_MAX`. */
  problems: string[];
  /** Who ran it. */
  actor?: string;
}

/** The last run of a check. */
export interface CheckResult {
  check: Check;
  ok: boolean;
  summary: string;
  problems: string[];
  actor: string;
  ran_at: string;
}

export const checksRpc = {
  /** Replaces the result of the previous run. */
  record: rpc<RecordCheckRequest, CheckResult>('console.v1.record_check', {
    timeoutMs: 2_000,
    errors: ['invalid_body'],
  }),
} as const;
