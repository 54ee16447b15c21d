import { type TaskFacts, withAgeSafetyTerms } from '@kinora/compute';
import type { Operation, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { parseSize } from '../../model/image-size';

/** A side that all bounds of models allow. */
const SIDE_PX = 512;

/** What a model can be asked to do, as the catalog tells it. */
export function operationsOf({ t2i, edit, i2v }: ResolvedModel['capabilities']): Operation[] {
  return [
    ...(t2i ? (['image.generation'] as const) : []),
    ...(edit ? (['image.edit'] as const) : []),
    ...(i2v ? (['video.generation'] as const) : []),
  ];
}

/** The plainest request that the model takes: whoever cannot run this can run nothing of it. */
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
