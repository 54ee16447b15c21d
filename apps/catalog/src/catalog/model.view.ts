import type {
  CompatibleLora,
  ModelDetails,
  ResolvedModel,
  Route,
  RouteDetails,
  UnitPrice,
} from '@kinora/contracts/catalog/catalog.rpc';
import type { Lora } from '@kinora/contracts/catalog/lora';
import type { Model, ModelCapabilities } from '@kinora/contracts/catalog/model';
import { toUsd } from '@kinora/contracts/shared/money';
import type { LoraDefinition } from './lora-definition';
import type { ModelDefinition } from './model-definition';

export function toModel(model: ModelDefinition, { micros }: UnitPrice): Model {
  const { id, type, label, description, price, license } = model;
  return {
    id,
    object: 'model',
    type,
    label,
    description,
    capabilities: toCapabilities(model),
    price: {
      micros,
      usd: toUsd(micros),
      unit: 'usd',
      per: price.per,
      ...(price.note === undefined ? {} : { note: price.note }),
    },
    license,
  };
}

/** With the bounds of the fields that a request to the model may have: only generations take steps and guidance. */
function toCapabilities({ capabilities, steps, guidance, output_side }: ModelDefinition): ModelCapabilities {
  return {
    ...capabilities,
    ...(capabilities.t2i && steps && { steps }),
    ...(capabilities.t2i && guidance && { guidance }),
    ...(capabilities.edit && output_side && { output_side }),
  };
}

function toCompatibleLora({ id, default_strength, file, low_file, url, low_url }: LoraDefinition): CompatibleLora {
  const low = low_file === undefined ? {} : { low_file };
  const lowUrl = low_url === undefined ? {} : { low_url };
  return {
    id,
    default_strength,
    ...(file === undefined ? {} : { file, ...low }),
    ...(url === undefined ? {} : { url, ...lowUrl }),
  };
}

/** The fields of a model that the jobs service needs. */
export function toResolvedModel(model: ModelDefinition, price: UnitPrice, loras: LoraDefinition[]): ResolvedModel {
  return {
    id: model.id,
    capabilities: { ...model.capabilities },
    price: { ...price, per: model.price.per },
    ...(model.steps ? { steps: model.steps } : {}),
    ...(model.guidance ? { guidance: model.guidance } : {}),
    ...(model.output_side ? { output_side: model.output_side } : {}),
    ...(model.output_frame ? { output_frame: model.output_frame } : {}),
    loras: loras.map(toCompatibleLora),
    routes: model.routes.map(toRoute),
    sync_wait_ms: model.sync_wait_ms,
    queue_timeout_ms: model.queue_timeout_ms,
    run_timeout_ms: model.run_timeout_ms,
    max_backlog: model.max_backlog,
  };
}

/** Costs and marks of the backend are for operators, not for routing. */
function toRoute({ cost_micros: _cost, upstream_mark: _mark, ...route }: RouteDetails): Route {
  return route;
}

export function toModelDetails(model: ModelDefinition, price: UnitPrice, enabled: boolean): ModelDetails {
  const { micros_by_size, price_changes } = price;
  const set = price_changes === undefined ? {} : { price_changes };
  return { model: toModel(model, price), enabled, routes: model.routes, micros_by_size, ...set };
}

/** The client's view of a LoRA. */
export function toLora({
  id,
  compatible_models,
  label,
  description,
  default_strength,
  triggers,
  license,
}: LoraDefinition): Lora {
  return { id, object: 'lora', compatible_models, label, description, default_strength, triggers, license };
}
