import { IsIntegerIn, IsListOfUniqueTexts, IsOneOf, IsText, IsVisibleText, Optional } from '../shared/field-rules';
import type { Micros } from '../shared/money';
import type { Integer } from '../shared/scalars';
import { KEY_NAME_CHARS, KEY_SCOPES, type KeyScope } from './api-key-format';
import { CAP_PERIODS, type CapPeriod } from './billing-admin.rpc';

/** A new key. It may do no more than the key that creates it. */
export class CreateAccountKeyBody {
  /** What the account calls it. */
  @IsVisibleText(KEY_NAME_CHARS)
  name!: string;

  /**
   * What it may do.
   * @default "jobs"
   */
  @Optional()
  @IsOneOf(KEY_SCOPES)
  scope?: KeyScope;

  /** The only models that it may create jobs with; those of the creating key when left out. */
  @Optional()
  @IsListOfUniqueTexts({ min: 1, max: 100 }, { min: 1, max: 64 })
  models?: string[];

  /**
   * What its jobs of one period may cost; give `budget_period` as well. A creating key with a budget must name one, which is
   * taken from its own.
   */
  @Optional()
  @IsIntegerIn({ min: 1, max: Number.MAX_SAFE_INTEGER })
  budget_micros?: Micros;

  /** The period of the budget, in UTC. */
  @Optional()
  @IsOneOf(CAP_PERIODS)
  budget_period?: CapPeriod;

  /**
   * When it stops working: RFC 3339 with an offset, in the future. When left out, the expiry of the creating key.
   * @format date-time
   */
  @Optional()
  @IsText({ min: 1, max: 40 })
  expires_at?: string;
}

/** Seven days. */
const OVERLAP_SECONDS_MAX = 604_800;

/** How a secret is replaced by a new one. */
export class OverlapBody {
  /**
   * For how long the previous secret stays valid beside the new one.
   * @default 0
   */
  @Optional()
  @IsIntegerIn({ min: 0, max: OVERLAP_SECONDS_MAX })
  overlap_seconds?: Integer;
}
