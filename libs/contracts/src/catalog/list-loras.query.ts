import { IsText, Optional } from '../shared/field-rules';

/** The query of GET /loras. */
export class ListLorasQuery {
  /**
   * Only LoRAs that this model accepts. An id longer than that of any model is unknown like others: only the limit of the
   * request head applies.
   */
  @Optional()
  @IsText({ min: 0, max: 16 * 1024 })
  model?: string;
}
