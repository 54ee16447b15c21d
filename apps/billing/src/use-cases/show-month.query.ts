import { Injectable } from '@nestjs/common';
import type { MonthStatement } from '@kinora/contracts/billing/statement';
import { ApiError } from '@kinora/contracts/shared/errors';
import { BillingDetailsRepository } from '../account/billing-details.repository';
import { MonthStatementRepository } from '../wallet/month-statement.repository';

/** The statement of a month, with who the customer is. */
@Injectable()
export class ShowMonth {
  constructor(
    private readonly details: BillingDetailsRepository,
    private readonly months: MonthStatementRepository,
  ) {}

  async execute(accountId: string, month: string): Promise<MonthStatement> {
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
      throw new ApiError('invalid_body', 'month must be such as 2026-11.', { param: 'month' });
    const billing_details = await this.details.find(accountId);
    return { billing_details, ...(await this.months.show(accountId, month)) };
  }
}
