import { Injectable } from '@nestjs/common';
import { type Admission, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import { DEFAULT_MODEL, OPERATION_NAMES, type OperationName } from '@kinora/contracts/jobs/job-choices';
import { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import { jobsRpc, type QuotedPrice, type QuotePriceRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { type Quote, QuoteBody } from '@kinora/contracts/jobs/quote';
import { type Refusal, toRefusal } from '@kinora/contracts/jobs/job-history';
import { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { Bus } from '@kinora/bus';
import { EgressAllowList } from '@kinora/egress';
import { readBodyAs } from '../http/read-fields';
import { toImageSources } from '../image-input/image-source';
import { assertMayCreateJobs, type JobPost, requestedModel, toClientInput, toPayer } from '../jobs/job-post';
import { assertPublicUrls } from '../jobs/public-urls';
import { PLACEHOLDER, takeStatedImages } from './stated-images';

type WithoutPayer<Request> = Request extends unknown
  ? Omit<Request, 'account_id' | 'api_key_id' | 'price_group'>
  : never;

/** The request of a quote, by the field rules of its creation. @throws ApiError invalid_body */
function toQuotedRequest(
  kind: Operation,
  request: Record<string, unknown>,
  allow: EgressAllowList,
): WithoutPayer<QuotePriceRequest> {
  switch (kind) {
    case 'image.generation': {
      const body = readBodyAs(ImageGenerationBody, request);
      assertPublicUrls(body, allow);
      return { kind, input: toClientInput(body) };
    }
    case 'image.edit': {
      const { request: plain, sides } = takeStatedImages(request);
      const body = readBodyAs(ImageEditBody, plain);
      assertPublicUrls(body, allow);
      const isLeftOut = body.image === undefined && body.images === undefined;
      const sources = isLeftOut ? [{ param: 'image' }] : toImageSources(body);
      const first_image = sides.get(sources[0]?.param ?? '');
      return { kind, input: toClientInput(body), image_count: sources.length, ...(first_image && { first_image }) };
    }
    case 'video.generation': {
      const { request: plain, sides } = takeStatedImages(request);
      const body = readBodyAs(VideoGenerationBody, { ...plain, image: plain['image'] ?? PLACEHOLDER });
      assertPublicUrls(body, allow);
      const first_image = sides.get('image');
      return { kind, input: toClientInput(body), image_count: 1, ...(first_image && { first_image }) };
    }
  }
}

const KIND_BY_OPERATION = Object.fromEntries(
  Object.entries(OPERATION_NAMES).map(([kind, operation]) => [operation, kind]),
) as Record<OperationName, Operation>;

/** (API: ImageGenerationBody.model) */
const MODEL_MAX_CHARS = 64;

/** Without a price there is nothing to hold. */
const UNPRICED: QuotedPrice = { id: null, price: null, refusals: [], eta_seconds: null, expires_at: null };

/** POST /quotes: the checks of a creation in their order, each to its end, so that the client sees every refusal at once. */
@Injectable()
export class CreateQuote {
  constructor(
    private readonly bus: Bus,
    private readonly egressAllow: EgressAllowList,
  ) {}

  async execute({ caller, body }: JobPost): Promise<Quote> {
    const { operation, request } = readBodyAs(QuoteBody, body.value);
    const kind = KIND_BY_OPERATION[operation];
    const refusals: Refusal[] = [];
    const attempt = <Result>(check: () => Result): Result | null => {
      try {
        return check();
      } catch (error) {
        refusals.push(toRefusal(error));
        return null;
      }
    };
    attempt(() => assertMayCreateJobs({ caller, body: { value: request } }, kind));
    const quoted = attempt(() => toQuotedRequest(kind, request, this.egressAllow));
    const [priced, balanceMicros] = await Promise.all([this.price(quoted, caller), this.balance(caller)]);
    refusals.push(...priced.refusals);
    const { id, price, eta_seconds, expires_at } = priced;
    return {
      object: 'quote',
      id,
      operation,
      // A longer one is refused, and need not be repeated in full.
      model: requestedModel(request)?.slice(0, MODEL_MAX_CHARS) ?? DEFAULT_MODEL[kind],
      price,
      balance_after_micros: price && balanceMicros - price.micros,
      would_be_accepted: refusals.length === 0,
      refusals,
      eta_seconds,
      expires_at,
    };
  }

  private async price(quoted: ReturnType<typeof toQuotedRequest> | null, caller: Admission): Promise<QuotedPrice> {
    if (!quoted) return UNPRICED;
    const request: QuotePriceRequest = { ...quoted, ...toPayer({ caller, quote: undefined }) };
    return this.bus.request(jobsRpc.quotePrice, request);
  }

  private async balance({ account_id, api_key_id }: Admission): Promise<number> {
    return (await this.bus.request(billingRpc.getAccount, { account_id, api_key_id })).balance_micros;
  }
}
