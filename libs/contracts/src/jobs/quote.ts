import { IsObject, IsOneOf } from '../shared/field-rules';
import type { Micros } from '../shared/money';
import type { Count, Timestamp } from '../shared/scalars';
import { OPERATION_NAMES, type OperationName } from './job-choices';
import type { Refusal } from './job-history';

/** `quo_`, the fields in base64url, a dot, and their HMAC. Longer than any quote of a model whose id fits into a request. */
export const QUOTE_ID = /^quo_([\w-]{1,1000})\.([\w-]{43})$/;

/** The price of a request. */
export interface QuotedAmount {
  micros: Micros;
  usd: number;
  /** What the price list counts. */
  per: 'image' | 'second';
  /** Images, or seconds of video. */
  quantity: Count;
}

/** What a request would cost now, and whether it would be accepted. Nothing is reserved. */
export interface Quote {
  object: 'quote';
  /** Holds the price until `expires_at`, sent as `X-Service-Quote` with the creation; null where there is no price. */
  id: string | null;
  operation: OperationName;
  model: string;
  /** Null if the request is refused before its price is known. */
  price: QuotedAmount | null;
  /** The balance after the price was reserved; less than 0 if it cannot be. Null without a price. */
  balance_after_micros: Micros | null;
  /** Whether a creation would pass every check that needs no image and no moderation. */
  would_be_accepted: boolean;
  /** In the order of the checks of a creation. */
  refusals: Refusal[];
  /** Estimated seconds until the job would end; null where there is nothing to measure by. */
  eta_seconds: number | null;
  expires_at: Timestamp | null;
}

/** The request for a quote. */
export class QuoteBody {
  /** The operation that would create the job. */
  @IsOneOf(Object.values(OPERATION_NAMES))
  operation!: OperationName;

  /**
   * The body of that operation. An image may be left out, or be stated by its sides, such as `{"width": 1280, "height": 720}`:
   * the price of some models depends on the size, which follows from the first image.
   */
  @IsObject()
  request!: Record<string, unknown>;
}
