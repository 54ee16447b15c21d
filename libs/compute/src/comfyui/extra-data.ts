import type { ProviderTask } from '../compute-provider.port';
import type { GraphTemplate } from './graph-template';

/**
 * The data that is sent beside the graph; servers keep it with the prompt and pass it to nodes that request it.
 *
 * A graph without a place for a text gets the text here, with the age-safety terms. So the text still reaches the server
 * unchanged, but only a custom node of the operator could use it. The moderation of its outputs keeps such a graph safe. Terms
 * do not replace that moderation in other graphs either: a guidance-distilled model reads no negative prompt, even if its
 * graph has a place for one.
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
