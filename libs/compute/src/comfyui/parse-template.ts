import { isRecord } from '../http/json-answer';
import { assertLinked, type Graph, parseGraph, pruneTo, type InputValue, isLink, type Link } from './graph';
import {
  type GraphTemplate,
  IMAGE_PARAMETERS,
  type ImagePlace,
  type Place,
  TASK_PARAMETERS,
  type TemplateRules,
  type LoraChain,
} from './graph-template';
import { nearestNames } from '../assert-routes';

const KEYS = [
  'workflow',
  'output_node',
  'output_kind',
  'parameters',
  'optional_inputs',
  'loras',
  'model_files',
  'side_multiple',
  'frame_step',
  'max_seed',
  'batch_shares_seed',
  'note',
];
/** Parameters that maps may name as documentation; they keep the values of the graph. */
const CONSTANTS = ['sampler', 'scheduler', 'shift', 'switch_step', 'strength'];
/** ComfyUI accepts seeds up to 2^64-1, but JSON numbers above this one lose precision. */
const MAX_SAFE_SEED = Number.MAX_SAFE_INTEGER;
/** The seed of the CPU stand-ins is a colour, the only such input of ComfyUI with a lower bound. */
const MAX_COLOR = 0xffffff;

/**
 * Reads a graph with its parameter map.
 * @throws Error that names the first error: a misspelt parameter would otherwise leave the graph's own value unchanged.
 */
export function parseTemplate(name: string, graphContent: unknown, map: unknown): GraphTemplate {
  const graph = parseGraph(graphContent);
  if (!isRecord(map)) throw new Error('params: must be an object');
  for (const key of Object.keys(map)) if (!KEYS.includes(key)) throw new Error(unknownKey(`params.${key}`, key, KEYS));
  const outputNode = findNode(graph, map['output_node'], 'params.output_node');
  const outputKind = map['output_kind'];
  if (outputKind !== 'image' && outputKind !== 'video') throw new Error('params.output_kind: must be image or video');
  const places = parseParameters(graph, map['parameters']);
  if (!places.filename_prefix)
    throw new Error('params.parameters.filename_prefix: is missing; without a prefix of its own a task gets old files');
  assertSaves(graph, outputNode, places.filename_prefix);
  const images = parseImages(graph, map);
  const loraChains = parseLoraChains(graph, map['loras']);
  assertLinked(graph);
  return {
    name,
    graph,
    outputNode,
    outputKind,
    places,
    images,
    loraChains,
    modelFiles: parseModelFiles(graph, map['model_files']),
    rules: parseRules(graph, map, places.seed ?? []),
  };
}

/** A node that saves has the prefix of its file's name itself, or gets it from a node that it needs. */
function assertSaves(graph: Graph, outputNode: string, prefixes: Place[]): void {
  const needed = pruneTo(outputNode, graph);
  if (prefixes.some(({ nodeId }) => needed[nodeId])) return;
  const [prefix] = prefixes;
  const where = `${prefix?.nodeId}.${prefix?.input}`;
  throw new Error(
    `params.output_node: node ${outputNode} (${graph[outputNode]?.class_type}) saves nothing: filename_prefix, ${where}, is not there`,
  );
}

function parseParameters(graph: Graph, content: unknown): GraphTemplate['places'] {
  if (!isRecord(content)) throw new Error('params.parameters: must be an object');
  const known: readonly string[] = [...TASK_PARAMETERS, ...IMAGE_PARAMETERS, ...CONSTANTS];
  const places: Record<string, Place[]> = {};
  for (const [parameter, value] of Object.entries(content)) {
    const where = `params.parameters.${parameter}`;
    if (!known.includes(parameter)) throw new Error(unknownKey(where, parameter, known));
    places[parameter] = findPlaces(graph, value, where);
  }
  return Object.fromEntries(TASK_PARAMETERS.flatMap((name) => (places[name] ? [[name, places[name]]] : [])));
}

function parseImages(
  graph: Graph,
  { parameters, optional_inputs: optional = {} }: Record<string, unknown>,
): ImagePlace[] {
  if (!isRecord(parameters) || !isRecord(optional)) throw new Error('params.optional_inputs: must be an object');
  for (const name of Object.keys(optional))
    if (!IMAGE_PARAMETERS.some((known) => known === name && name in parameters))
      throw new Error(`params.optional_inputs.${name}: is no image of params.parameters`);
  const images = IMAGE_PARAMETERS.filter((name) => name in parameters).map((name): ImagePlace => {
    const places = findPlaces(graph, parameters[name], `params.parameters.${name}`);
    if (!(name in optional)) return { name, places, dropWhenAbsent: null };
    const { drop } = isRecord(optional[name]) ? optional[name] : {};
    const nodes = Array.isArray(drop) ? drop : places.map(({ nodeId }) => nodeId);
    const where = `params.optional_inputs.${name}.drop`;
    return { name, places, dropWhenAbsent: nodes.map((node) => findNode(graph, node, where)) };
  });
  const firstOptional = images.findIndex(({ dropWhenAbsent }) => dropWhenAbsent !== null);
  const needed = images.slice(firstOptional).find(({ dropWhenAbsent }) => dropWhenAbsent === null);
  if (firstOptional >= 0 && needed)
    throw new Error(`params.optional_inputs.${needed.name}: an image before it is optional`);
  return images;
}

/** The listed model files that the graph still uses, without those of removed example loaders. */
function parseModelFiles(graph: Graph, content: unknown = {}): Record<string, string> {
  if (!isRecord(content)) throw new Error('params.model_files: must be an object of folders by file');
  const named = new Set(Object.values(graph).flatMap(({ inputs }) => Object.values(inputs)));
  const files: Record<string, string> = {};
  for (const [file, folder] of Object.entries(content)) {
    if (typeof folder !== 'string') throw new Error(`params.model_files["${file}"]: must name a folder`);
    if (named.has(file)) files[file] = folder;
  }
  return files;
}

function parseRules(graph: Graph, map: Record<string, unknown>, seedPlaces: Place[]): TemplateRules {
  const isColor = seedPlaces.some(
    ({ nodeId, input }) => graph[nodeId]?.class_type === 'EmptyImage' && input === 'color',
  );
  const count = (key: string, fallback: number): number => {
    const value = map[key] ?? fallback;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    throw new Error(`params.${key}: must be a whole number above 0`);
  };
  return {
    sideMultiple: count('side_multiple', 1),
    // Most video models count frames in this way; for the others, one additional frame does no harm.
    frameStep: count('frame_step', 4),
    maxSeed: count('max_seed', isColor ? MAX_COLOR : MAX_SAFE_SEED),
    batchSharesSeed: parseFlag(map, 'batch_shares_seed'),
  };
}

function parseFlag(map: Record<string, unknown>, key: string): boolean {
  const value = map[key] ?? false;
  if (typeof value === 'boolean') return value;
  throw new Error(`params.${key}: must be true or false`);
}

/** The message about a key that does not exist. */
export function unknownKey(where: string, key: string, known: readonly string[]): string {
  return `${where}: is not known; there are ${nearestNames(key, known)}`;
}

/** Finds a node by its id, or else by its title: exports of a changed workflow have new ids. */
export function findNode(graph: Graph, reference: unknown, where: string): string {
  if (typeof reference !== 'string') throw new Error(`${where}: must name a node by its id or title`);
  if (graph[reference]) return reference;
  const titled = Object.keys(graph).filter((id) => graph[id]?._meta?.title === reference);
  if (titled.length > 1) throw new Error(`${where}: several nodes are titled ${reference}`);
  if (titled[0] === undefined) {
    const names = Object.entries(graph).flatMap(([id, { _meta: meta }]) => (meta?.title ? [meta.title] : [id]));
    throw new Error(`${where}: there is no node ${reference}; there are ${nearestNames(reference, names)}`);
  }
  return titled[0];
}

/** Inputs in the form `node.input`, one or several. */
export function findPlaces(graph: Graph, value: unknown, where: string): Place[] {
  const references: unknown[] = Array.isArray(value) ? value : [value];
  if (references.length === 0) throw new Error(`${where}: must name an input as node.input`);
  return references.map((reference) => findPlace(graph, reference, where));
}

function findPlace(graph: Graph, reference: unknown, where: string): Place {
  const [, node, input] = typeof reference === 'string' ? (/^(.+)\.([^.]+)$/.exec(reference) ?? []) : [];
  if (node === undefined || input === undefined) throw new Error(`${where}: must name an input as node.input`);
  const nodeId = findNode(graph, node, where);
  const { inputs = {} } = graph[nodeId] ?? {};
  if (!Object.hasOwn(inputs, input))
    throw new Error(
      `${where}: node ${node} has no input ${input}; there are ${nearestNames(input, Object.keys(inputs))}`,
    );
  return { nodeId, input };
}

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

export function link(graph: Graph, consumers: LoraChain['consumers'], to: Link): void {
  for (const { nodeId, input } of consumers) {
    const node = graph[nodeId];
    if (node) node.inputs[input] = [...to];
  }
}
