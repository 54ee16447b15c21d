import { isRecord } from '../http/json-answer';
import { assertLinked, type Graph, parseGraph, pruneTo } from './graph';
import {
  type GraphTemplate,
  IMAGE_PARAMETERS,
  type ImagePlace,
  type Place,
  TASK_PARAMETERS,
  type TemplateRules,
} from './graph-template';
import { parseLoraChains } from './parse-lora-chains';
import { findNode, findPlaces, unknownKey } from './template-places';

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
