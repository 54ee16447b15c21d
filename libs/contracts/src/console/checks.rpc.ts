import { rpc } from '../shared/contract';

/** The checks of the command line whose last results the operators' overview shows. */
export const CHECKS = ['doctor', 'ledger_verify'] as const;
export type Check = (typeof CHECKS)[number];

export interface RecordCheckRequest {
  check: Check;
  ok: boolean;
  /** What was checked: `14 checks`. At most 200 characters. */
  summary: string;
  /** What failed. The console keeps the first 20. */
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
    errors: ['invalid_body', 'capacity'],
  }),
} as const;
