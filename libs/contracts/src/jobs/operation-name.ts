import type { Operation } from '../catalog/catalog.rpc';

/** The public name of each operation that creates jobs: its path with dots. */
export const OPERATION_NAMES = {
  'image.generation': 'images.generations',
  'image.edit': 'images.edits',
  'video.generation': 'videos.generations',
} as const satisfies Record<Operation, string>;

export type OperationName = (typeof OPERATION_NAMES)[Operation];
