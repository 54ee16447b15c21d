import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import { type QuoteSales, jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { type QuotePriceRequest, type QuotedPrice, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ListQuoteSales } from '../operations/use-cases/list-quote-sales.query';
import { QuotePrice } from './use-cases/quote-price.query';

/** Quotes, and what was sold under them. */
@Controller()
export class QuotesController {
  constructor(
    private readonly quotePrice: QuotePrice,
    private readonly listQuoteSales: ListQuoteSales,
  ) {}

  @Handles(jobsRpc.quotePrice)
  quote(request: QuotePriceRequest): Promise<QuotedPrice> {
    return this.quotePrice.execute(request);
  }

  @Handles(jobsAdminRpc.listQuoteSales)
  listSales(request: { since?: string; account_id?: string }): Promise<{ data: QuoteSales[] }> {
    return this.listQuoteSales.execute(request);
  }
}
