import { IsText, Optional } from '../shared/field-rules';

/** The query of GET /loras. */
export class ListLorasQuery {
  /** Only LoRAs that this model accepts. */
  @Optional()
  @IsText({ min: 0, max: 64 })
  model?: string;
}
