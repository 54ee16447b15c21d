import {
  type DecisionDetails,
  type ReplayedChange,
  type StrikeDetails,
  moderationAdminRpc,
} from '@kinora/contracts/moderation/moderation-admin.rpc';
import { type AppealDetails, appealsAdminRpc } from '@kinora/contracts/moderation/appeals.rpc';
import { ledgerMonthRpc } from '@kinora/contracts/billing/ledger.rpc';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { answering, on } from '@kinora/testing';

export const STRIKE: StrikeDetails = {
  ...{ strike_id: 'strike-1', account_id: 'acc-1', job_id: 'job-1', decision_id: 'dec-1' },
  ...{ created_at: '2026-11-20T09:00:00.000Z', lifted_at: null, lifted_by: null, lift_reason: null },
};

export const DECISION: DecisionDetails = {
  ...{ decision_id: 'dec-1', account_id: 'acc-1', job_id: 'job-1', stage: 'output', verdict: 'blocked' },
  ...{ engine: 'hash', reason: 'test_picture', content_sha256: ['ab12'], policy_version: 'c0ffee' },
  ...{ engines: { hash: '1' }, findings: [], created_at: '2026-11-20T09:00:00.000Z' },
};

export const APPEAL: AppealDetails = {
  ...{ appeal_id: 'appeal-1', account_id: 'acc-1', job_id: 'job-1', decision_id: 'dec-1', text: 'It is a boat.' },
  ...{ status: 'open', created_at: '2026-11-20T09:00:00.000Z', decided_at: null, decided_by: null, reason: null },
};

const CHANGE: ReplayedChange = {
  ...{ stage: 'input', from: 'passed', to: 'blocked', engine: 'openai', reason: 'sexual', decisions: 2 },
  decision_ids: ['dec-9', 'dec-8'],
};

export const RETENTION: RetentionPlan = {
  ...{ table: 'decision', setting: 'KINORA_DECISION_RETENTION_DAYS', retention_days: 400, stays: 'Strikes.' },
  parts: [
    {
      ...{
        name: 'decision_202611',
        from: '2026-11-01T00:00:00.000Z',
        until: '2026-12-01T00:00:00.000Z',
        rows: 7,
        bytes: 8_192,
      },
      drops_at: '2028-01-05T00:00:00.000Z',
    },
  ],
};

/** The plans of the ledger, of jobs and of deliveries stand beside it. */
export const FakeMonths = answering(
  on(ledgerMonthRpc.planRetention, () => ({ ...RETENTION, table: 'ledger_entry' })),
  on(jobsAdminRpc.planRetention, () => ({ data: [{ ...RETENTION, table: 'job' }] })),
  on(webhooksRpc.planRetention, () => ({ data: [{ ...RETENTION, table: 'delivery' }] })),
);

export const received: object[] = [];

/** A stand-in for moderation: stores the requests, and answers as moderation would. */
export const FakeModeration = answering(
  on(moderationAdminRpc.listStrikes, (request) => {
    received.push(request);
    return { data: [STRIKE] };
  }),
  on(moderationAdminRpc.liftStrike, (request) => {
    received.push(request);
    if (request.strike_id !== STRIKE.strike_id) throw new ApiError('not_found', 'There is no such strike.');
    return { ...STRIKE, lifted_at: '2026-11-20T10:00:00.000Z', lifted_by: 'ada', lift_reason: request.reason ?? null };
  }),
  on(moderationAdminRpc.listDecisions, (request) => {
    received.push(request);
    if (request.verdict === 'maybe')
      throw new ApiError('invalid_body', 'verdict must be passed or blocked.', { param: 'verdict' });
    return { data: [DECISION] };
  }),
  on(moderationAdminRpc.getDecision, ({ decision_id }) => ({ ...DECISION, decision_id })),
  on(appealsAdminRpc.list, (request) => {
    received.push(request);
    return { data: [APPEAL] };
  }),
  on(appealsAdminRpc.decide, (request) => {
    received.push(request);
    return { ...APPEAL, status: request.status, decided_by: request.actor ?? null, reason: request.reason ?? null };
  }),
  on(moderationAdminRpc.planRetention, () => RETENTION),
  on(moderationAdminRpc.replayPolicy, (request) => {
    received.push(request);
    const isFirst = request.before_decision_id === undefined;
    const changes = isFirst ? [CHANGE] : [CHANGE, { ...CHANGE, to: 'unknown' as const, decisions: 1 }];
    const next_before_decision_id = isFirst ? 'dec-8' : null;
    return { checked: 1_000, changes, as_recorded: ['rules', 'hash'], next_before_decision_id };
  }),
);
