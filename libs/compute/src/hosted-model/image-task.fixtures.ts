import { v7 as uuidv7 } from 'uuid';
import { withAgeSafetyTerms } from '../age-safety';
import type { ImageTask } from '../compute-provider.port';

/** A task like any other, for the specs of one adapter's own ways; each call has an id of its own. */
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
