import type { OperatorRequest } from '../billing/operator-action';
import { rpc } from '../shared/contract';
import { healthCheck } from '../shared/health';
import type { Micros } from '../shared/money';
import type { List, PageRequest, PartialList } from '../shared/page';
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

/** The price of one unit of a model. */
export interface UnitPrice {
  micros: Micros;
  micros_by_size: Record<string, Micros>;
  /** The ids of the price changes that it follows from; left out where it is the price of the catalog. */
  price_changes?: number[];
}

/** The data of a model that creating and running a job needs. */
export interface ResolvedModel {
  id: string;
  capabilities: ModelCapabilities;
  /** The price of one unit for the price group: an image, or a second of video. */
  price: UnitPrice & { per: 'image' | 'second' };
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
  /** As in `UnitPrice`. */
  micros_by_size?: Record<string, Micros>;
  price_changes?: number[];
}

/** The accounts whose prices are asked for: those of a price group, or of none. */
export interface PricesFor {
  price_group?: string;
}

/** Sets what a model costs, for a price group if one is named. */
export interface SetPriceRequest extends PricesFor, OperatorRequest {
  model: string;
  /** For all sizes that `micros_by_size` does not name. Null ends what was set before. */
  micros: Micros | null;
  micros_by_size?: Record<string, Micros>;
  /** RFC 3339, not in the past; at once if left out. */
  from?: string;
}

/** Sets the factor by which a price group pays the price list. The first one makes the group. */
export interface SetPriceFactorRequest extends OperatorRequest {
  price_group: string;
  /** 10,000 is the price list, 100,000 the most. */
  factor_basis_points: number;
  from?: string;
}

/** What an operator has set. It never changes: of those that have begun, the one that began last is in force. */
export interface PriceChange {
  id: number;
  /** Null for the factor of a price group. */
  model: string | null;
  /** Null for the price list. */
  price_group: string | null;
  /** Null for a factor, and where an earlier price was ended. */
  micros: Micros | null;
  micros_by_size: Record<string, Micros>;
  factor_basis_points: number | null;
  effective_from: string;
  created_at: string;
  actor: string | null;
  reason: string | null;
}

export const catalogRpc = {
  /** The enabled models in their public form. */
  listModels: rpc<PricesFor, List<Model>>('catalog.v1.list_models'),
  /** The LoRAs of the catalog, or those that an enabled model accepts. Here model_unavailable is an invalid parameter. */
  listLoras: rpc<{ model?: string }, LoraList>('catalog.v1.list_loras', { errors: ['model_unavailable'] }),
  /** All aliases, also those of disabled models: their names must not fall to the family of another model. */
  listAliases: rpc<Record<string, never>, { data: ModelAlias[] }>('catalog.v1.list_aliases', { timeoutMs: 2_000 }),
  /** An enabled model that supports the operation, or model_unavailable. */
  resolveModel: rpc<PricesFor & { model: string; operation: Operation }, ResolvedModel>('catalog.v1.resolve_model', {
    timeoutMs: 2_000,
    errors: ['model_unavailable'],
  }),
} as const;

export const catalogAdminRpc = {
  /** With the prices of the price group. */
  listAllModels: rpc<PricesFor, { data: ModelDetails[] }>('catalog.v1.list_all_models', { errors: ['not_found'] }),
  setModelEnabled: rpc<{ model: string; enabled: boolean }, ModelDetails>('catalog.v1.set_model_enabled', {
    errors: ['not_found'],
  }),
  setPrice: rpc<SetPriceRequest, PriceChange>('catalog.v1.set_price', { errors: ['not_found', 'invalid_body'] }),
  setPriceFactor: rpc<SetPriceFactorRequest, PriceChange>('catalog.v1.set_price_factor', { errors: ['invalid_body'] }),
  /** The price changes, those set last first, at most 20 a page. */
  listPriceChanges: rpc<PageRequest & { model?: string }, PartialList<PriceChange>>('catalog.v1.list_price_changes', {
    errors: ['invalid_body'],
  }),
  /** The factor of each price group: that in force, or of a later beginning. */
  listPriceGroups: rpc<Record<string, never>, { data: PriceChange[] }>('catalog.v1.list_price_groups'),
} as const;

export const catalogHealthRpc = {
  check: healthCheck('catalog'),
} as const;
