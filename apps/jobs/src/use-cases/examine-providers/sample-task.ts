import { type TaskFacts, withAgeSafetyTerms } from '@kinora/compute';
import type { Operation, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { parseSize } from '../../model/image-size';

/** A side within the bounds of all models. */
const SIDE_PX = 512;

/** The operations of a model, from its capabilities in the catalog. */
export function operationsOf({ t2i, edit, i2v }: ResolvedModel['capabilities']): Operation[] {
  return [
    ...(t2i ? (['image.generation'] as const) : []),
    ...(edit ? (['image.edit'] as const) : []),
    ...(i2v ? (['video.generation'] as const) : []),
  ];
}

/** The simplest request for a model: an instance that cannot run it can run no request of the model. */
export function sampleTask({ id, capabilities, steps, guidance }: ResolvedModel, operation: Operation): TaskFacts {
  const size = parseSize(capabilities.sizes?.[0] ?? '') ?? { width: SIDE_PX, height: SIDE_PX };
  const facts = {
    id: 'sample',
    model: id,
    prompt: 'a calm sea',
    negativePrompt: withAgeSafetyTerms(undefined),
    ...size,
    seed: 1,
    loras: [],
  };
  switch (operation) {
    case 'image.generation':
      return {
        ...facts,
        operation,
        n: 1,
        imageCount: 0,
        ...(steps ? { steps: steps.default } : {}),
        ...(guidance ? { guidance: guidance.default } : {}),
      };
    case 'image.edit':
      return { ...facts, operation, n: 1, imageCount: 1 };
    case 'video.generation': {
      const { durations: [durationSeconds = 1] = [], fps = 1 } = capabilities;
      return { ...facts, operation, imageCount: 1, durationSeconds, fps };
    }
  }
}
