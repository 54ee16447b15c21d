import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import type { ModelDefinition } from './model-definition';

const CAPABILITY_BY_OPERATION = {
  'image.generation': 't2i',
  'image.edit': 'edit',
  'video.generation': 'i2v',
} as const satisfies Record<Operation, string>;

export const OPERATIONS = Object.keys(CAPABILITY_BY_OPERATION) as Operation[];

export function supports({ capabilities }: ModelDefinition, operation: Operation): boolean {
  return capabilities[CAPABILITY_BY_OPERATION[operation]];
}

export function operationsOf(model: ModelDefinition): Operation[] {
  return OPERATIONS.filter((operation) => supports(model, operation));
}
