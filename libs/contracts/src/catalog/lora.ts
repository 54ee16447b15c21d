import type { List } from '../shared/page';

/** The specification's Lora resource. */
export interface Lora {
  id: string;
  object: 'lora';
  /** The models that it was made for. */
  compatible_models: string[];
  label: string;
  description: string | null;
  default_strength: number;
  triggers: string | null;
  license: string | null;
}

/** Interface, GET /loras: where one model was asked for, also which, and whether it takes LoRAs by URL. */
export interface LoraList extends List<Lora> {
  model?: string;
  byo_urls?: boolean;
}
