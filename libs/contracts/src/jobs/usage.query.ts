import { IsOneOf, IsText, Optional } from '../shared/field-rules';
import { USAGE_GROUPINGS, type UsageGrouping } from './usage';

/** The query of GET /usage; what `from` and `to` say is read where jobs are counted. */
export class UsageQuery {
  @Optional()
  @IsText({ min: 1, max: 40 })
  from?: string;

  @Optional()
  @IsText({ min: 1, max: 40 })
  to?: string;

  @Optional()
  @IsOneOf(USAGE_GROUPINGS)
  group_by?: UsageGrouping;
}
