import { Injectable } from '@nestjs/common';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { DEFAULT_MODEL } from '@kinora/contracts/jobs/job-choices';
import type { QuoteRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { assertQuotedOperation } from '../held-price';
import { QuoteTokens } from '../quote-tokens';
import { assertEditFits, resolveDuration } from '../../model/bounds';
import { FundsCheck } from '../funds-check';
import { ModelCache } from '../../model/model-cache';
import { leastPriceOf, totalOf } from '../../model/price';
import { resolveVideoLoras } from '../../model/resolve-loras';
import { VideoScreening } from '../../model/video-screening';

@Injectable()
export class QuoteJob {
  constructor(
    private readonly models: ModelCache,
    private readonly videoScreening: VideoScreening,
    private readonly funds: FundsCheck,
    private readonly quotes: QuoteTokens,
  ) {}

  /**
   * Checks whether a model accepts the request, and whether its price could be reserved, before any image of it is read. If
   * the size follows from an image, the price is that of the cheapest size.
   * @throws ApiError
   */
  async execute(request: QuoteRequest): Promise<{ price_micros: number }> {
    const { kind, input, price_group } = request;
    this.videoScreening.assertOffered(kind);
    const model = await this.models.resolve(input.model ?? DEFAULT_MODEL[kind], kind, price_group);
    const size = 'size' in input ? input.size : undefined;
    const leastMicros = leastPriceOf(model, countUnits(request, model), size);
    const { account_id, api_key_id, quote } = request;
    const held = quote === undefined ? null : this.quotes.read(account_id, quote);
    if (held) assertQuotedOperation(held, kind);
    // Whether the quote is for the rest of this request, the creation decides, which knows the size.
    const price_micros = held ? totalOf(held.price) : leastMicros;
    await this.funds.assertReservable({ account_id, api_key_id, amount_micros: price_micros });
    return { price_micros };
  }
}

/**
 * An edit makes one image; a video is charged by the second.
 * @throws ApiError invalid_body for a value that the model does not accept
 */
function countUnits(request: QuoteRequest, model: ResolvedModel): number {
  if (request.kind === 'image.edit') {
    assertEditFits(request.input, request.image_count, model);
    return 1;
  }
  const duration = resolveDuration(request.input, model);
  resolveVideoLoras(request.input.loras, model);
  return duration;
}
