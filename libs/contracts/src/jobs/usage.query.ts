import { IsOneOf, IsTimeText, Optional } from '../shared/field-rules';
import { USAGE_GROUPINGS, type UsageGrouping } from './usage';

/** The query of GET /usage. The jobs service parses `from` and `to`. */
export class UsageQuery {
  /** Start, inclusive: RFC 3339, UTC where it has no offset, or `YYYY-MM-DD` for midnight UTC. 30 days before `to` when left out. */
  @Optional()
  @IsTimeText()
  from?: string;

  /** End, exclusive, in the same form. Now when left out or in the future. */
  @Optional()
  @IsTimeText()
  to?: string;

  /**
   * The key by which the sums are grouped.
   * @default "day"
   */
  @Optional()
  @IsOneOf(USAGE_GROUPINGS)
  group_by?: UsageGrouping;
}
