import { IsText, Optional } from '../shared/field-rules';

/** The query of GET /loras. */
export class ListLorasQuery {
  /** Only LoRAs that this model accepts. An id that is too long for any model is unknown like others: the bound is that of a head. */
  @Optional()
  @IsText({ min: 0, max: 16 * 1024 })
  model?: string;
}
