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
