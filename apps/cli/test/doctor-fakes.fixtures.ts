import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type AccountPage, type ListAccountsRequest, accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import {
  type AccountDetails,
  type CreateAccountRequest,
  type CreatedAccount,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { TopUpRequest } from '@kinora/contracts/billing/deposit';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger-report';
import { billingHealthRpc } from '@kinora/contracts/billing/billing-health.rpc';
import { catalogHealthRpc } from '@kinora/contracts/catalog/catalog-health.rpc';
import {
  type ModelDetails,
  type Operation,
  type ResolvedModel,
  catalogAdminRpc,
  catalogRpc,
} from '@kinora/contracts/catalog/catalog.rpc';
import type { ComputeExamination } from '@kinora/contracts/jobs/examination';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsHealthRpc } from '@kinora/contracts/jobs/jobs-health.rpc';
import { type CreateJobReply, type CreateJobRequest, type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { moderationHealthRpc } from '@kinora/contracts/moderation/moderation-health.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { webhooksHealthRpc } from '@kinora/contracts/webhooks/webhooks-health.rpc';

/** The state of the contexts behind the fakes; each test sets what is wrong. */
export interface FakeState {
  /** The failing dependencies of a context; a promise that never settles makes it hang. */
  health: Record<string, Promise<HealthReport>>;
  compute: ComputeExamination;
  models: { id: string; t2i: boolean; micros: number; provider: string }[];
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

function record(contract: string, request: unknown): void {
  state.received.push({ contract, request });
}

@Controller()
export class FakeModeration {
  @Handles(moderationHealthRpc.check)
  moderation(_request: Record<string, never>): Promise<HealthReport> {
    return healthOf('moderation');
  }
}

@Controller()
export class FakeContexts {
  @Handles(jobsHealthRpc.check)
  jobs(_request: Record<string, never>): Promise<HealthReport> {
    return healthOf('jobs');
  }

  @Handles(billingHealthRpc.check)
  billing(_request: Record<string, never>): Promise<HealthReport> {
    return healthOf('billing');
  }

  @Handles(catalogHealthRpc.check)
  catalog(_request: Record<string, never>): Promise<HealthReport> {
    return healthOf('catalog');
  }

  @Handles(webhooksHealthRpc.check)
  webhooks(_request: Record<string, never>): Promise<HealthReport> {
    return healthOf('webhooks');
  }

  @Handles(billingAdminRpc.verifyLedger)
  async verifyLedger(_request: VerifyLedgerRequest): Promise<LedgerReport> {
    const books = { available_micros: 0, held_micros: 0, revenue_micros: 0, top_ups_micros: 0, credits_micros: 0 };
    return { ok: true, accounts: 1, entries: 2, books, violations: [], next_account_id: null };
  }

  @Handles(accountListRpc.listAccounts)
  async listAccounts(_request: ListAccountsRequest): Promise<AccountPage> {
    return { data: state.accounts, has_more: false, next_cursor: null };
  }

  @Handles(billingAdminRpc.createAccount)
  async createAccount(request: CreateAccountRequest): Promise<CreatedAccount> {
    record('create_account', request);
    return { account_id: 'acc-new', api_key: 'k', api_key_id: 'k', webhook_secret: 's' };
  }

  @Handles(billingAdminRpc.grantCredit)
  async grantCredit(request: TopUpRequest): Promise<AccountDetails> {
    record('grant_credit', request);
    return {} as AccountDetails;
  }
}

@Controller()
export class FakeJobsAndCatalog {
  @Handles(jobsRpc.examineProviders)
  async examineProviders(_request: Record<string, never>): Promise<ComputeExamination> {
    return state.compute;
  }

  @Handles(catalogAdminRpc.listAllModels)
  async listAllModels(_request: Record<string, never>): Promise<{ data: ModelDetails[] }> {
    const toDetails = ({ id, t2i, micros, provider }: FakeState['models'][number]): ModelDetails =>
      ({
        model: { id, capabilities: { t2i }, price: { micros } },
        enabled: true,
        routes: [{ provider, weight: 1 }],
      }) as unknown as ModelDetails;
    return { data: state.models.map(toDetails) };
  }

  @Handles(catalogRpc.resolveModel)
  async resolveModel({ model }: { model: string; operation: Operation }): Promise<ResolvedModel> {
    const price = { micros: 7_000, per: 'image' as const, micros_by_size: { '512x512': 9_000 } };
    return { id: model, capabilities: { t2i: true, sizes: ['512x512'] }, price } as unknown as ResolvedModel;
  }

  @Handles(jobsRpc.create)
  async create(request: CreateJobRequest): Promise<CreateJobReply> {
    record('create', request);
    return { job: { id: 'job-1', status: 'queued', completed_at: null } as Job, replayed: false };
  }

  @Handles(jobsRpc.get)
  async get({ job_id }: JobRef): Promise<Job> {
    const next = state.polls.length > 1 ? state.polls.shift() : state.polls[0];
    return { id: job_id, ...next } as Job;
  }

  @Handles(jobsRpc.cancel)
  async cancel(ref: JobRef): Promise<Job> {
    record('cancel', ref);
    return { id: ref.job_id, status: 'canceled', completed_at: '2026-11-20T09:00:00Z' } as Job;
  }
}
