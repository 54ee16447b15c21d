import { accountListRpc, type AccountPage } from '@kinora/contracts/billing/account-list.rpc';
import { type AccountDetails, billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import { type PaymentsExamination, paymentsHealthRpc } from '@kinora/contracts/billing/checkout.rpc';
import { billingHealthRpc } from '@kinora/contracts/billing/billing.rpc';
import { emailRpc } from '@kinora/contracts/billing/email.rpc';
import {
  catalogHealthRpc,
  type ModelDetails,
  type ResolvedModel,
  catalogAdminRpc,
  catalogRpc,
} from '@kinora/contracts/catalog/catalog.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { type ComputeExamination, jobsHealthRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { complianceRpc, MODERATION_LINE } from '@kinora/contracts/moderation/compliance.rpc';
import { moderationHealthRpc } from '@kinora/contracts/moderation/moderation.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { webhooksHealthRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { answering, on } from '@kinora/testing';

/** The state of the contexts behind the fakes; each test sets what is wrong. */
export interface FakeState {
  /** The failing dependencies of a context; a promise that never settles makes it hang. */
  health: Record<string, Promise<HealthReport>>;
  compute: ComputeExamination;
  models: { id: string; t2i: boolean; micros: number; provider: string }[];
  payments: PaymentsExamination;
  accounts: AccountPage['data'];
  /** The state of the job at each poll; the last one repeats. */
  polls: Pick<Job, 'status' | 'completed_at' | 'output' | 'error'>[];
  received: { contract: string; request: unknown }[];
}

export const state = {} as FakeState;
const FINE: HealthReport = { dependencies: [{ name: 'broker', problem: null }] };

function healthOf(context: string): Promise<HealthReport> {
  return state.health[context] ?? Promise.resolve(FINE);
}

function record<Answer>(contract: string, request: unknown, answer: object): Answer {
  state.received.push({ contract, request });
  return answer as Answer;
}

const ENGINES = { subject: MODERATION_LINE, state: 'texts: rules; images: hash, local', is_set: true, purpose: '' };
export const FakeModeration = answering(
  on(moderationHealthRpc.check, () => healthOf('moderation')),
  on(complianceRpc.show, () => ({ lines: [ENGINES], guide: '' })),
);

export const FakeContexts = answering(
  on(jobsHealthRpc.check, () => healthOf('jobs')),
  on(billingHealthRpc.check, () => healthOf('billing')),
  on(paymentsHealthRpc.examine, () => state.payments),
  on(catalogHealthRpc.check, () => healthOf('catalog')),
  on(webhooksHealthRpc.check, () => healthOf('webhooks')),
  on(emailRpc.check, () => ({ transport: 'smtp' as const, problem: null })),
  on(billingAdminRpc.verifyLedger, () => {
    const books = { available_micros: 0, held_micros: 0, revenue_micros: 0, top_ups_micros: 0, credits_micros: 0 };
    return { ok: true, accounts: 1, entries: 2, books, violations: [], next_account_id: null };
  }),
  on(accountListRpc.listAccounts, () => ({ data: state.accounts, has_more: false, next_cursor: null })),
  on(billingAdminRpc.createAccount, (request) => {
    const account = { account_id: 'acc-new', api_key: 'k', api_key_id: 'k', webhook_secret: 's' };
    return record('create_account', request, account);
  }),
  on(billingAdminRpc.grantCredit, (request) => record<AccountDetails>('grant_credit', request, {})),
);

const toDetails = ({ id, t2i, micros, provider }: FakeState['models'][number]): ModelDetails =>
  ({
    model: { id, capabilities: { t2i }, price: { micros } },
    enabled: true,
    routes: [{ provider, weight: 1 }],
  }) as unknown as ModelDetails;

export const FakeJobsAndCatalog = answering(
  on(jobsRpc.examineProviders, () => state.compute),
  on(catalogAdminRpc.listAllModels, () => ({ data: state.models.map(toDetails) })),
  on(catalogRpc.resolveModel, ({ model }) => {
    const price = { micros: 7_000, per: 'image' as const, micros_by_size: { '512x512': 9_000 } };
    return { id: model, capabilities: { t2i: true, sizes: ['512x512'] }, price } as unknown as ResolvedModel;
  }),
  on(jobsRpc.create, (request) => {
    const job = { id: 'job-1', status: 'queued', completed_at: null };
    return record('create', request, { job, replayed: false });
  }),
  on(jobsRpc.get, ({ job_id }) => {
    const next = state.polls.length > 1 ? state.polls.shift() : state.polls[0];
    return { id: job_id, ...next } as Job;
  }),
  on(jobsRpc.cancel, (ref) => {
    const job = { id: ref.job_id, status: 'canceled', completed_at: '2026-11-20T09:00:00Z' };
    return record<Job>('cancel', ref, job);
  }),
);
