import { v7 as uuidv7 } from 'uuid';
import { withAgeSafetyTerms } from '../instance-definition';
import type { ImageTask } from '../compute-provider.port';

/** An ordinary task for the specs of single adapters; each call has another id. */
export function imageTask(parts: Partial<ImageTask> = {}): ImageTask {
  return {
    id: `${uuidv7()}-1`,
    operation: 'image.generation',
    model: 'm',
    template: 'image',
    prompt: 'a calm sea',
    negativePrompt: withAgeSafetyTerms(undefined),
    width: 128,
    height: 100,
    seed: 7,
    n: 1,
    loras: [],
    images: [],
    ...parts,
  };
}
