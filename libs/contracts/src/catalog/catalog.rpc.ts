import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { List } from '../shared/page';
import type { LoraList } from './lora';
import type { Model, ModelCapabilities } from './model';

/** What a model can be asked to do. */
export type Operation = 'image.generation' | 'image.edit' | 'video.generation';

export interface Bounds {
  min: number;
  max: number;
}

/**
 * What a frame of a video may be. A start frame keeps its size where that fits, and is otherwise scaled down to so many
 * pixels; each side is then rounded, up or down, to a multiple, as keeps the ratio best.
 */
export interface FrameBounds {
  max_pixels: number;
  side_multiple: number;
}

/** Where a model's jobs may run. */
export interface Route {
  /** An instance of a compute provider. */
  provider: string;
  /** What the instance is to run for this model: a graph, an upstream model, a version. */
  template?: string;
  /** Its share of the work among the routes of the same order. */
  weight: number;
  /** Routes of a higher order get what those before them cannot take; 0 where nothing is said. */
  order?: number;
}

/** A LoRA of the catalog that the model accepts. */
export interface CompatibleLora extends LoraFiles {
  id: string;
  default_strength: number;
}

/** Where a LoRA of the catalog lies; nothing where the backend knows it by its id. */
export interface LoraFiles {
  /** In the folder that backends load LoRAs from; the second is for models with an expert for low noise. */
  file?: string;
  low_file?: string;
  url?: string;
  low_url?: string;
}

/** All that accepting and running a job needs to know of its model. */
export interface ResolvedModel {
  id: string;
  capabilities: ModelCapabilities;
  /** One unit: an image, or a second of video. */
  price: { micros: Micros; per: 'image' | 'second'; micros_by_size: Record<string, Micros> };
  steps?: Bounds & { default: number };
  guidance?: Bounds & { default: number };
  /** Edits: the bounds of each side of the result in pixels. */
  output_side?: Bounds;
  /** Videos: the bounds of the frame. */
  output_frame?: FrameBounds;
  loras: CompatibleLora[];
  routes: Route[];
  /** How long a create waits for the end before it answers 202; 0 never waits. */
  sync_wait_ms: number;
  queue_timeout_ms: number;
  run_timeout_ms: number;
  /** Queued jobs of this model beyond which a create is refused with 503. */
  max_backlog: number;
}

export interface ModelDetails {
  model: Model;
  enabled: boolean;
  routes: Route[];
}

export const catalogRpc = {
  /** The enabled models as clients see them. */
  listModels: rpc<Record<string, never>, List<Model>>('catalog.v1.list_models', {
    timeoutMs: 5_000,
    errors: ['capacity'],
  }),
  /** The LoRAs of the catalog, or those that an enabled model accepts; model_unavailable is here a wrong parameter. */
  listLoras: rpc<{ model?: string }, LoraList>('catalog.v1.list_loras', {
    timeoutMs: 5_000,
    errors: ['model_unavailable', 'capacity'],
  }),
  /** An enabled model that can do the operation, or model_unavailable. */
  resolveModel: rpc<{ model: string; operation: Operation }, ResolvedModel>('catalog.v1.resolve_model', {
    timeoutMs: 2_000,
    errors: ['model_unavailable', 'capacity'],
  }),
} as const;

export const catalogAdminRpc = {
  listAllModels: rpc<Record<string, never>, { data: ModelDetails[] }>('catalog.v1.list_all_models', {
    timeoutMs: 5_000,
    errors: ['capacity'],
  }),
  setModelEnabled: rpc<{ model: string; enabled: boolean }, ModelDetails>('catalog.v1.set_model_enabled', {
    timeoutMs: 5_000,
    errors: ['not_found', 'capacity'],
  }),
} as const;
