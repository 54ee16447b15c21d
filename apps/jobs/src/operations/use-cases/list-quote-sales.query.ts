import { Injectable } from '@nestjs/common';
import type { QuoteSales } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { validate as isUuid } from 'uuid';
import { QuoteSalesRepository } from '../job-summary.repository';

const DEFAULT_PERIOD_MS = 30 * 24 * 60 * 60 * 1_000;

/** What was sold under quotes at former prices, by day and model, for the operator. */
@Injectable()
export class ListQuoteSales {
  constructor(private readonly sales: QuoteSalesRepository) {}

  /** @throws ApiError invalid_body */
  async execute({ since, account_id }: { since?: string; account_id?: string }): Promise<{ data: QuoteSales[] }> {
    const from = since === undefined ? new Date(Date.now() - DEFAULT_PERIOD_MS) : new Date(since);
    if (Number.isNaN(from.getTime())) throw invalidField('since', 'must be a time such as 2026-11-22T00:00:00Z');
    if (account_id !== undefined && !isUuid(account_id)) throw invalidField('account_id', 'must be a UUID');
    return { data: await this.sales.list(from, account_id ?? null) };
  }
}

function invalidField(param: string, problem: string): ApiError {
  return new ApiError('invalid_body', `${param} ${problem}.`, { param });
}
