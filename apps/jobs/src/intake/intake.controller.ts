import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { Job } from '@kinora/contracts/jobs/job';
import {
  type CreateJobReply,
  type CreateJobRequest,
  type Idempotency,
  type QuotePriceRequest,
  type QuoteRequest,
  type QuotedPrice,
  jobsRpc,
} from '@kinora/contracts/jobs/jobs.rpc';
import {
  type CloseUnkeyedRequest,
  type OpenUnkeyedRequest,
  type RequestSending,
  unkeyedRequestsRpc,
} from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { CreateJob } from './use-cases/create-job/create-job.use-case';
import { IdempotencyKeys } from './idempotency-keys';
import { QuoteJob } from './use-cases/quote-job.query';
import { QuotePrice } from './use-cases/quote-price.query';
import { UnkeyedRequests } from './use-cases/unkeyed-requests.use-case';

/** The creation of jobs, and what precedes it. */
@Controller()
export class IntakeController {
  constructor(
    private readonly createJob: CreateJob,
    private readonly keys: IdempotencyKeys,
    private readonly quoteJob: QuoteJob,
    private readonly quotePriceOfJob: QuotePrice,
    private readonly unkeyedRequests: UnkeyedRequests,
  ) {}

  @Handles(jobsRpc.create)
  create(request: CreateJobRequest): Promise<CreateJobReply> {
    return this.createJob.execute(request);
  }

  @Handles(jobsRpc.findReplay)
  async findReplay(request: { account_id: string; idempotency: Idempotency }): Promise<{ job: Job | null }> {
    return { job: await this.keys.find(request.account_id, request.idempotency) };
  }

  @Handles(jobsRpc.quote)
  quote(request: QuoteRequest): Promise<{ price_micros: number }> {
    return this.quoteJob.execute(request);
  }

  @Handles(jobsRpc.quotePrice)
  quotePrice(request: QuotePriceRequest): Promise<QuotedPrice> {
    return this.quotePriceOfJob.execute(request);
  }

  @Handles(unkeyedRequestsRpc.open)
  open(request: OpenUnkeyedRequest): Promise<RequestSending & { idempotency_key: string }> {
    return this.unkeyedRequests.open(request);
  }

  @Handles(unkeyedRequestsRpc.close)
  close(closing: CloseUnkeyedRequest): Promise<Record<string, never>> {
    return this.unkeyedRequests.close(closing);
  }
}
