import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { StoredImage } from '@kinora/contracts/jobs/job';
import type { CreateJobRequest, QuotedPrice, QuotePriceRequest } from '@kinora/contracts/jobs/jobs.rpc';
import { type Refusal, toRefusal } from '@kinora/contracts/jobs/job-history';
import { ApiError } from '@kinora/contracts/shared/errors';
import { toUsd } from '@kinora/contracts/shared/money';
import type { NewJob } from '../../job/job.entity';
import { hasOnePrice } from '../../model/price';
import { jobSizeOf } from '../../progress/estimate';
import { EtaEstimator } from '../../progress/eta-estimator';
import { FundsCheck } from '../funds-check';
import { ModelAdmission } from '../model-admission';
import { toNewJob } from '../new-job';
import { QuoteTokens } from '../quote-tokens';

/** A quote reads no image, so each without stated sides is taken to be of this size, which every model accepts. Its hash is of nothing. */
const PLACEHOLDER: StoredImage = {
  sha256: '',
  width: 1024,
  height: 1024,
  mime: 'image/png',
  object_key: '',
  param: 'image',
};

/** The create request that the quote is about, as far as it is known without its images. */
export function withPlaceholderImages(quoted: QuotePriceRequest): CreateJobRequest {
  if (quoted.kind === 'image.generation') return quoted;
  const { image_count, first_image, ...request } = quoted;
  const images = Array.from({ length: image_count }, (_, index) =>
    index === 0 ? { ...PLACEHOLDER, ...first_image } : PLACEHOLDER,
  );
  // The compiler does not relate the kind of a rest to its input.
  return request.kind === 'image.edit' ? { ...request, images } : { ...request, images };
}

/** (decisions: Quotes) */
const QUOTE_LIFETIME_MS = 10 * 60 * 1_000;

interface PricedJob {
  job: NewJob;
  model: ResolvedModel;
  /** The size that the price depends on; null if it depends on none. */
  size: string | null;
}

/**
 * The price of a request, and every refusal that its creation would meet. The checks are those of the creation, run one after
 * another on a job that is never stored. Nothing is screened, reserved or written.
 */
@Injectable()
export class QuotePrice {
  constructor(
    private readonly models: ModelAdmission,
    private readonly funds: FundsCheck,
    private readonly tokens: QuoteTokens,
    private readonly estimator: EtaEstimator,
  ) {}

  async execute(request: QuotePriceRequest): Promise<QuotedPrice> {
    const refusals: Refusal[] = [];
    const priced = await this.price(request).catch((error: unknown) => void refusals.push(toRefusal(error)));
    if (!priced) return { id: null, price: null, refusals, eta_seconds: null, expires_at: null };
    for (const check of this.checksOf(request, priced)) {
      try {
        await check();
      } catch (error) {
        refusals.push(toRefusal(error));
      }
    }
    return { ...this.hold(request, priced), refusals, eta_seconds: await this.estimateEta(request, priced.job) };
  }

  /** @throws ApiError model_unavailable, invalid_body, capacity */
  private async price(quoted: QuotePriceRequest): Promise<PricedJob> {
    const request: CreateJobRequest = withPlaceholderImages(quoted);
    const model = await this.models.resolve(request);
    const job = toNewJob(uuidv7(), request, model);
    if (quoted.kind === 'image.generation') return { job, model, size: job.input.size };
    if (quoted.kind === 'image.edit' && quoted.input.size !== undefined) return { job, model, size: quoted.input.size };
    if (hasOnePrice(model)) return { job, model, size: null };
    if (!quoted.first_image) throw unknownSize(quoted.kind);
    return { job, model, size: job.input.size };
  }

  /** In the order of a creation (decisions: Order of checks). */
  private checksOf({ account_id, api_key_id }: QuotePriceRequest, { job, model }: PricedJob): (() => unknown)[] {
    const funds = { account_id, api_key_id, amount_micros: job.price_micros, available_only: true };
    return [
      () => this.models.assertRunnable(job, model),
      () => this.models.assertRoom(model),
      () => this.funds.assertReservable(funds),
    ];
  }

  private hold(
    { account_id, kind }: QuotePriceRequest,
    { job, size }: PricedJob,
  ): Pick<QuotedPrice, 'id' | 'price' | 'expires_at'> {
    const { price } = job.accepted_facts;
    if (!price) throw new Error(`A new job has no way to its price: ${job.id}`);
    const expiresAtMs = Date.now() + QUOTE_LIFETIME_MS;
    const micros = job.price_micros;
    return {
      id: this.tokens.issue(account_id, { kind, model: job.model, size, price, expiresAtMs }),
      price: { micros, usd: toUsd(micros), per: price.per, quantity: price.quantity },
      expires_at: new Date(expiresAtMs).toISOString(),
    };
  }

  /** Null where no run times of the last hour are known, or none can be read now: a quote needs no estimate. */
  private async estimateEta({ account_id }: QuotePriceRequest, job: NewJob): Promise<number | null> {
    const { model, kind, input, plan } = job;
    const facts = { account_id, model, kind, routes: plan.routes, ...jobSizeOf(input) };
    return await this.estimator.secondsForNewJob(facts).catch(() => null);
  }
}

/** The size of an edit or a video follows from its first image, which the quote says nothing about. */
function unknownSize(kind: 'image.edit' | 'video.generation'): ApiError {
  const problem = 'The price of this model depends on the size, which follows from the image.';
  const sides = 'the sides of the image in its place, such as {"width": 1280, "height": 720}';
  return kind === 'image.edit'
    ? new ApiError('invalid_body', `${problem} Send size, or ${sides}.`, { param: 'size' })
    : new ApiError('invalid_body', `${problem} Send ${sides}.`, { param: 'image' });
}
