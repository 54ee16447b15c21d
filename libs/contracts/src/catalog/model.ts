import type { Micros } from '../shared/money';

/** Interface, "Capabilities keys"; extra keys are allowed, `sandbox` is ours. */
export interface ModelCapabilities {
  t2i?: boolean;
  edit?: boolean;
  img2img?: boolean;
  inpaint?: boolean;
  i2v?: boolean;
  sizes?: string[];
  durations?: number[];
  fps?: number;
  max_n?: number;
  max_refs?: number;
  loras?: 'url' | 'catalog';
  /** True where pictures are drawn by code instead of a model. */
  sandbox?: boolean;
}

export interface ModelPrice {
  micros: Micros;
  usd: number;
  unit: 'usd';
  per: 'image' | 'second';
  note?: string;
}

/** The specification's Model resource. */
export interface Model {
  id: string;
  object: 'model';
  type: 'image' | 'video';
  label: string;
  description: string | null;
  capabilities: ModelCapabilities;
  price: ModelPrice | null;
  license: string | null;
}
