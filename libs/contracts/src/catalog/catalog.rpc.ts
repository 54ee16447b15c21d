import { rpc } from '../shared/contract';
import { healthCheck } from '../shared/health';
import type { Micros } from '../shared/money';
import type { List } from '../shared/page';
import type { LoraList } from './lora';
import type { Bounds, DefaultedBounds, Model, ModelCapabilities } from './model';

/** The operations that a model supports. */
export type Operation = 'image.generation' | 'image.edit' | 'video.generation';

/**
 * Limits of a video frame. A start frame that fits keeps its size; a larger one is scaled down to this number of pixels. Each
 * side is then rounded, up or down, to a multiple, such that the ratio changes least. Where it still changes by more than 1 %, the
 * frame has another area.
 */
export interface FrameBounds {
  max_pixels: number;
  side_multiple: number;
}

/** One place where a model's jobs may run. */
export interface Route {
  /** An instance of a compute provider. */
  provider: string;
  /** What the instance runs for this model: a graph, an upstream model, a version. */
  template?: string;
  /** Its share of the work among routes of the same order. */
  weight: number;
  /** Routes of a higher order receive work only if those of a lower one cannot; 0 by default. */
  order?: number;
  /** How long the instance needs to load the model, until jobs has measured it. */
  load_ms?: number;
  /** What writes a watermark into the pixels of its images: the operator's marker behind HTTP, or nothing (the default). */
  marker?: 'none' | 'http';
}

/** A LoRA of the catalog that the model accepts. */
export interface CompatibleLora extends LoraFiles {
  id: string;
  default_strength: number;
}

/** The files of a LoRA of the catalog; empty if the backend identifies it by its id. */
export interface LoraFiles {
  /** File names in the LoRA folder of the backends; the second is for models with a separate low-noise expert. */
  file?: string;
  low_file?: string;
  url?: string;
  low_url?: string;
}

/** The data of a model that creating and running a job needs. */
export interface ResolvedModel {
  id: string;
  capabilities: ModelCapabilities;
  /** The price of one unit: an image, or a second of video. */
  price: { micros: Micros; per: 'image' | 'second'; micros_by_size: Record<string, Micros> };
  steps?: DefaultedBounds;
  guidance?: DefaultedBounds;
  /** Edits: the limits of each side of the result in pixels. */
  output_side?: Bounds;
  /** Videos: the limits of the frame. */
  output_frame?: FrameBounds;
  loras: CompatibleLora[];
  routes: Route[];
  /** How long a create request waits for the end of the job before it answers 202; 0 never waits. */
  sync_wait_ms: number;
  queue_timeout_ms: number;
  run_timeout_ms: number;
  /** Queued jobs of this model beyond which a create is refused with 503. */
  max_backlog: number;
}

/** Another name for a model in the requests of one operation; with `*` at its end, every name that begins so and is no alias itself. */
export interface ModelAlias {
  alias: string;
  operation: Operation;
  model: string;
}

/** A route as operators see it. */
export interface RouteDetails extends Route {
  /** What one unit of the model's price costs at the provider, if the catalog says so. */
  cost_micros?: Micros;
  /** The watermark that the backend itself leaves in the pixels, such as `synthid`, if the catalog says so. */
  upstream_mark?: string;
}

export interface ModelDetails {
  model: Model;
  enabled: boolean;
  routes: RouteDetails[];
}

export const catalogRpc = {
  /** The enabled models in their public form. */
  listModels: rpc<Record<string, never>, List<Model>>('catalog.v1.list_models'),
  /** The LoRAs of the catalog, or those that an enabled model accepts. Here model_unavailable is an invalid parameter. */
  listLoras: rpc<{ model?: string }, LoraList>('catalog.v1.list_loras', { errors: ['model_unavailable'] }),
  /** All aliases, also those of disabled models: their names must not fall to the family of another model. */
  listAliases: rpc<Record<string, never>, { data: ModelAlias[] }>('catalog.v1.list_aliases', { timeoutMs: 2_000 }),
  /** An enabled model that supports the operation, or model_unavailable. */
  resolveModel: rpc<{ model: string; operation: Operation }, ResolvedModel>('catalog.v1.resolve_model', {
    timeoutMs: 2_000,
    errors: ['model_unavailable'],
  }),
} as const;

export const catalogAdminRpc = {
  listAllModels: rpc<Record<string, never>, { data: ModelDetails[] }>('catalog.v1.list_all_models'),
  setModelEnabled: rpc<{ model: string; enabled: boolean }, ModelDetails>('catalog.v1.set_model_enabled', {
    errors: ['not_found'],
  }),
} as const;

export const catalogHealthRpc = {
  check: healthCheck('catalog'),
} as const;
