import { isRecord } from '../http/json-answer';
import { type Graph, type InputValue, isLink, type Link } from './graph';
import type { LoraChain } from './graph-template';
import { findNode, findPlaces, unknownKey } from './template-places';

const CHAIN_KEYS = ['kind', 'loader', 'from', 'from_clip', 'nodes', 'model_consumers', 'clip_consumers', 'note'];

/**
 * Reads the places of LoRAs: one chain, or one for each expert. Example loaders are removed from the graph. Loaders that the
 * graph needs (a distillation LoRA for few steps) are not in `nodes`, and `from` names the last of them.
 */
export function parseLoraChains(graph: Graph, content: unknown): LoraChain[] {
  if (content === undefined || content === null) return [];
  if (!isRecord(content)) throw new Error('params.loras: must be an object or null');
  const { experts } = content;
  if (experts === undefined) return [parseChain(graph, content, 'high', 'params.loras')];
  if (!isRecord(experts)) throw new Error('params.loras.experts: must have high and low');
  return (['high', 'low'] as const).map((expert) =>
    parseChain(graph, experts[expert], expert, `params.loras.experts.${expert}`),
  );
}

function parseChain(graph: Graph, content: unknown, expert: LoraChain['expert'], where: string): LoraChain {
  if (!isRecord(content)) throw new Error(`${where}: must be an object`);
  for (const key of Object.keys(content))
    if (!CHAIN_KEYS.includes(key)) throw new Error(unknownKey(`${where}.${key}`, key, CHAIN_KEYS));
  const { kind, loader } = content;
  if (kind !== 'model' && kind !== 'model+clip') throw new Error(`${where}.kind: must be model or model+clip`);
  if (typeof loader !== 'string') throw new Error(`${where}.loader: must name a class of nodes`);
  const chain: LoraChain = {
    expert,
    loader,
    from: parseLink(graph, content['from'], `${where}.from`),
    consumers: findPlaces(graph, content['model_consumers'], `${where}.model_consumers`),
    clip:
      kind === 'model'
        ? null
        : {
            from: parseLink(graph, content['from_clip'], `${where}.from_clip`),
            consumers: findPlaces(graph, content['clip_consumers'], `${where}.clip_consumers`),
          },
  };
  const { nodes: examples = [] } = content;
  if (!Array.isArray(examples)) throw new Error(`${where}.nodes: must be a list of nodes`);
  takeOut(
    graph,
    examples.map((node) => findNode(graph, node, `${where}.nodes`)),
    chain,
  );
  return chain;
}

function parseLink(graph: Graph, value: unknown, where: string): Link {
  if (!isLink(value as InputValue)) throw new Error(`${where}: must be a node and the number of its output`);
  const [node, slot] = value as Link;
  return [findNode(graph, node, where), slot];
}

function takeOut(graph: Graph, examples: string[], { from, consumers, clip }: LoraChain): void {
  for (const id of examples) delete graph[id];
  link(graph, consumers, from);
  if (clip) link(graph, clip.consumers, clip.from);
}

/** Links inputs to an output. */
export function link(graph: Graph, consumers: LoraChain['consumers'], to: Link): void {
  for (const { nodeId, input } of consumers) {
    const node = graph[nodeId];
    if (node) node.inputs[input] = [...to];
  }
}
