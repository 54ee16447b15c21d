import type { Lora } from '@kinora/contracts/catalog/lora';
import type { LoraDefinition } from './lora-definition';

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
