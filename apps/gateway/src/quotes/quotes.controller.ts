import { Controller, HttpCode, HttpStatus, Post } from '@nestjs/common';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { type Quote, QuoteBody } from '@kinora/contracts/jobs/quote';
import { QUOTE_BODY_MAX_BYTES } from '../body-limits';
import { RoutePolicy } from '../http/route-policy';
import { CurrentJobPost, type JobPost } from '../jobs/job-post';
import { Operation } from '../reference/operation.decorator';
import { CreateQuote } from './create-quote.use-case';

@Controller('quotes')
export class QuotesController {
  constructor(private readonly createQuote: CreateQuote) {}

  @Post()
  @HttpCode(HttpStatus.OK)
  @RoutePolicy({ takesJson: true, bodyMaxBytes: QUOTE_BODY_MAX_BYTES })
  @Operation({
    operationId: 'createQuote',
    tag: 'Jobs',
    summary: 'Quote the price of a request',
    description:
      'What a request would cost now, and every reason for which it would be refused. Nothing is reserved, charged, moderated or ' +
      'fetched. `X-Service-Quote` with the `id` on the creation holds the price until `expires_at`, whatever the price list says by then. Where ' +
      'the price of the model depends on the size, which follows from the image, the quote of a video needs the sides of the image in ' +
      'its place, such as `{"width": 1280, "height": 720}`, and that of an edit needs them or `size`.',
    answers: { 200: 'The quote, also of a request that would be refused.' },
    body: QuoteBody,
    errors: [...jobsRpc.quotePrice.errors, ...billingRpc.getAccount.errors],
  })
  create(@CurrentJobPost() post: JobPost): Promise<Quote> {
    return this.createQuote.execute(post);
  }
}
