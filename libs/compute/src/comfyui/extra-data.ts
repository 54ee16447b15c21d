import type { ProviderTask } from '../compute-provider.port';
import type { GraphTemplate } from './graph-template';

/**
 * What goes with a prompt beside its graph; servers keep it with the prompt and hand it to nodes that ask for it.
 *
 * A graph without a place for a text gets the text here: so it reaches the server byte for byte all the same, the age-safety
 * terms among them, but only a node of the operator's own could act on it. What keeps such a graph safe is the
 * judgement of its outputs, which no terms replace in other graphs either: a model that is distilled for guidance reads no
 * negative prompt, though its graph has a place for one.
 */
export function toExtraData({ places }: GraphTemplate, task: ProviderTask): object {
  return {
    kinora: {
      task: task.id,
      ...(places.prompt ? {} : { prompt: task.prompt }),
      ...(places.negative_prompt ? {} : { negative_prompt: task.negativePrompt }),
    },
  };
}
