import type { Micros } from '../shared/money';
import type { Count, Integer } from '../shared/scalars';

/** The values that a model accepts, both ends included. */
export interface Bounds {
  min: number;
  max: number;
}

/** The same, with the value of a request that gives none. */
export interface DefaultedBounds extends Bounds {
  default: number;
}

/**
 * What a model can do; further keys may appear.
 * @additionalProperties true
 */
export interface ModelCapabilities {
  /** Makes images from a prompt. */
  t2i?: boolean;
  /** Edits images as instructed. */
  edit?: boolean;
  img2img?: boolean;
  inpaint?: boolean;
  /** Makes videos from a start frame. */
  i2v?: boolean;
  /** The sizes to choose from, the default first. */
  sizes?: string[];
  /** The durations to choose from, in seconds. */
  durations?: Integer[];
  fps?: number;
  /** The maximum number of images of one job. */
  max_n?: Count;
  /** The maximum number of reference images of one job. */
  max_refs?: Count;
  /** The `steps` that a generation may have; left out where it may have none. */
  steps?: DefaultedBounds;
  /** The `guidance` that a generation may have; left out where it may have none. */
  guidance?: DefaultedBounds;
  /** The pixels of each side that an edit may have. */
  output_side?: Bounds;
  /** The allowed sources of its LoRAs: the catalog, or also any URL. */
  loras?: 'url' | 'catalog';
  /** True if the images are drawn by code instead of a model. */
  sandbox?: boolean;
}

/** The price of one unit. */
export interface ModelPrice {
  micros: Micros;
  usd: number;
  /** The currency. */
  unit: 'usd';
  /** What one unit is: an image, or a second of video. */
  per: 'image' | 'second';
  note?: string;
}

/** The models and features that jobs can use. */
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

/** An alias that ends with `*` stands for every name that begins so: `gpt-image-*` for those of tomorrow, too. */
export function isAliasFamily(alias: string): boolean {
  return alias.endsWith('*');
}

/** Whether an alias is the name, or the name's family. */
export function aliasCovers(alias: string, name: string): boolean {
  return isAliasFamily(alias) ? name.startsWith(alias.slice(0, -1)) : alias === name;
}
