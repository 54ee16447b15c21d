import type { Operation } from '@kinora/contracts/catalog/catalog.rpc';
import type { ModelDefinition } from './model-definition';

const CAPABILITY_BY_OPERATION = {
  'image.generation': 't2i',
  'image.edit': 'edit',
  'video.generation': 'i2v',
} as const satisfies Record<Operation, string>;

export function isCapable({ capabilities }: ModelDefinition, operation: Operation): boolean {
  return capabilities[CAPABILITY_BY_OPERATION[operation]];
}
