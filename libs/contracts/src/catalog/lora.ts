import { IsText, Optional } from '../shared/field-rules';
import type { List } from '../shared/page';

/** A small addition to a model that changes its style. */
export interface Lora {
  id: string;
  object: 'lora';
  /** The models that it was made for. */
  compatible_models: string[];
  label: string;
  description: string | null;
  /** The default of `strength`. */
  default_strength: number;
  /** Words that a prompt should contain for the LoRA to have an effect. */
  triggers: string | null;
  license: string | null;
}

/** The LoRAs of the catalog, or those that one model accepts. */
export interface LoraList extends List<Lora> {
  /** The model of the query. */
  model?: string;
  /** Whether that model also accepts LoRAs by URL. */
  byo_urls?: boolean;
}

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
