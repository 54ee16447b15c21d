import { IsIntegerIn, Optional } from '../shared/field-rules';
import type { Integer } from '../shared/scalars';

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
