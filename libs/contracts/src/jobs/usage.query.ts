import { IsOneOf, IsText, Optional } from '../shared/field-rules';
import { USAGE_GROUPINGS, type UsageGrouping } from './usage';

/** The query of GET /usage. The jobs service parses `from` and `to`. */
export class UsageQuery {
  /** Start, inclusive: RFC 3339 with an offset, or `YYYY-MM-DD` for midnight UTC. 30 days ago when left out. */
  @Optional()
  @IsText({ min: 1, max: 40 })
  from?: string;

  /** End, exclusive, in the same form. Now when left out. */
  @Optional()
  @IsText({ min: 1, max: 40 })
  to?: string;

  /**
   * The key by which the sums are grouped.
   * @default "day"
   */
  @Optional()
  @IsOneOf(USAGE_GROUPINGS)
  group_by?: UsageGrouping;
}
