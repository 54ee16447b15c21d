import { Controller } from '@nestjs/common';
import { type CallContext, Handles, currentCall } from '@kinora/bus';
import type { Account } from '@kinora/contracts/billing/account';
import { API_KEY_PREFIX, apiKeyChecksum } from '@kinora/contracts/billing/api-key-format';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import {
  type CreateJobReply,
  type CreateJobRequest,
  type Idempotency,
  type JobRef,
  type ListJobsRequest,
  type QuoteRequest,
  jobsRpc,
} from '@kinora/contracts/jobs/jobs.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { List } from '@kinora/contracts/shared/page';

/** Well-formed, as only an issued key is. */
export const API_KEY = withChecksum(`${API_KEY_PREFIX}${'k'.repeat(32)}`);
/** Well-formed, but nobody's. */
export const UNKNOWN_KEY = withChecksum(`${API_KEY_PREFIX}${'u'.repeat(32)}`);

export const ADMISSION: Admission = {
  account_id: '0192f3a0-0000-7000-8000-000000000001',
  api_key_id: 'key_1',
  account_status: 'active',
  rate: { allowed: true, limit: 60, remaining: 59 },
};

export const JOB: Job = {
  id: '0192f3a0-0000-7000-8000-00000000000a',
  object: 'job',
  status: 'queued',
  kind: 'image.generation',
  model: 'general-image',
  input: { prompt: 'a fox', model: 'general-image', size: '1024x1024', n: 1, seed: 7, output_format: 'png' },
  output: null,
  usage: { charged_micros: 1000, charged_usd: 0.001, gpu_ms: null },
  moderation: { status: 'pending' },
  error: null,
  created_at: '2026-11-20T09:00:00.000Z',
  started_at: null,
  completed_at: null,
  expires_at: null,
  metadata: null,
};

interface Asked {
  subject: string;
  request: unknown;
  call: CallContext | undefined;
}

/** What the contexts behind the gateway answer, and what they were asked. */
export class TestContexts {
  asked: Asked[] = [];
  private readonly answers = new Map<string, (request: never) => unknown>();

  /** Forgets all, and admits the one key to an active account. */
  reset(): void {
    this.asked = [];
    this.answers.clear();
    this.on(billingRpc.admit, () => ADMISSION);
  }

  on<Request, Response>(
    contract: RpcContract<Request, Response>,
    answer: (request: Request) => Response | Promise<Response>,
  ): void {
    this.answers.set(contract.subject, answer);
  }

  /** What was asked of a contract, in order. */
  of<Request, Response>(contract: RpcContract<Request, Response>): Request[] {
    return this.asked.filter(({ subject }) => subject === contract.subject).map(({ request }) => request as Request);
  }

  async answer<Request, Response>(contract: RpcContract<Request, Response>, request: Request): Promise<Response> {
    this.asked.push({ subject: contract.subject, request, call: currentCall() });
    const answer = this.answers.get(contract.subject) as ((request: Request) => Response) | undefined;
    if (!answer) throw new Error(`${contract.subject} was not expected to be asked`);
    return answer(request);
  }
}

/** Stands in for billing, jobs and catalog on the real bus. */
@Controller()
export class StandInController {
  constructor(private readonly contexts: TestContexts) {}

  @Handles(billingRpc.admit)
  admit(request: { key_sha256: string }): Promise<Admission> {
    return this.contexts.answer(billingRpc.admit, request);
  }

  @Handles(billingRpc.getAccount)
  getAccount(request: { account_id: string; api_key_id: string }): Promise<Account> {
    return this.contexts.answer(billingRpc.getAccount, request);
  }

  @Handles(catalogRpc.listModels)
  listModels(request: Record<string, never>): Promise<List<Model>> {
    return this.contexts.answer(catalogRpc.listModels, request);
  }

  @Handles(jobsRpc.findReplay)
  findReplay(request: { account_id: string; idempotency: Idempotency }): Promise<{ job: Job | null }> {
    return this.contexts.answer(jobsRpc.findReplay, request);
  }

  @Handles(jobsRpc.quote)
  quote(request: QuoteRequest): Promise<{ price_micros: number }> {
    return this.contexts.answer(jobsRpc.quote, request);
  }

  @Handles(jobsRpc.create)
  create(request: CreateJobRequest): Promise<CreateJobReply> {
    return this.contexts.answer(jobsRpc.create, request);
  }

  @Handles(jobsRpc.get)
  get(request: JobRef): Promise<Job> {
    return this.contexts.answer(jobsRpc.get, request);
  }

  @Handles(jobsRpc.list)
  list(request: ListJobsRequest): Promise<JobList> {
    return this.contexts.answer(jobsRpc.list, request);
  }

  @Handles(jobsRpc.cancel)
  cancel(request: JobRef): Promise<Job> {
    return this.contexts.answer(jobsRpc.cancel, request);
  }
}

/** An answer that is an error. */
export function fail(...error: ConstructorParameters<typeof ApiError>): () => never {
  return () => {
    throw new ApiError(...error);
  };
}

function withChecksum(body: string): string {
  return body + apiKeyChecksum(body);
}
