import { isRecord } from '../http/json-answer';

/** An output slot of another node: its id and the slot's number. */
export type Link = [nodeId: string, slot: number];

export type InputValue = string | number | boolean | null | InputValue[] | { [key: string]: InputValue };

export interface GraphNode {
  class_type: string;
  inputs: Record<string, InputValue>;
  _meta?: { title?: string };
}

/** A workflow in ComfyUI's API format ("Export (API)"): nodes by their id. */
export type Graph = Record<string, GraphNode>;

export function isLink(value: InputValue | undefined): value is Link {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && Number.isSafeInteger(value[1] ?? null)
  );
}

/**
 * The nodes that the output needs. Other nodes of a graph may save files too: the server would run them, or drop them and
 * answer a success that contains errors.
 */
export function pruneTo(outputNode: string, graph: Graph): Graph {
  const needed = new Set<string>();
  const pending = [outputNode];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = graph[id];
    if (!node || needed.has(id)) continue;
    needed.add(id);
    pending.push(
      ...Object.values(node.inputs)
        .filter(isLink)
        .map(([source]) => source),
    );
  }
  return Object.fromEntries(Object.entries(graph).filter(([id]) => needed.has(id)));
}

/** Removes nodes, and every input that is linked to one of them. */
export function dropNodes(ids: readonly string[], graph: Graph): void {
  for (const id of ids) delete graph[id];
  for (const node of Object.values(graph))
    for (const [name, value] of Object.entries(node.inputs))
      if (isLink(value) && ids.includes(value[0])) delete node.inputs[name];
}

/** A number, as the editor assigns: some custom nodes parse ids as numbers. */
export function freeNodeId(graph: Graph): string {
  return String(Math.max(0, ...Object.keys(graph).map((id) => Number.parseInt(id, 10) || 0)) + 1);
}

/** @throws Error that names the first error, for every value that the server would refuse as a prompt. */
export function parseGraph(content: unknown): Graph {
  if (!isRecord(content)) throw new Error('must be an object of nodes');
  if (Array.isArray(content['nodes']))
    throw new Error('is in the format of the editor; use "Export (API)" instead, which servers take');
  for (const [id, node] of Object.entries(content)) assertNode(id, node);
  // Without a prototype: `constructor` would otherwise be the id of a node.
  const graph = Object.assign(Object.create(null) as Graph, content);
  assertLinked(graph);
  return graph;
}

/** @throws Error for a link to a missing node; the server's own error does not name the node. */
export function assertLinked(graph: Graph): void {
  for (const [id, { inputs }] of Object.entries(graph))
    for (const [name, value] of Object.entries(inputs))
      if (isLink(value) && !graph[value[0]]) throw new Error(`${id}.${name}: there is no node ${value[0]}`);
}

function assertNode(id: string, node: unknown): asserts node is GraphNode {
  if (!isRecord(node)) throw new Error(`${id}: must be a node`);
  if (typeof node['class_type'] !== 'string') throw new Error(`${id}.class_type: must be a string`);
  if (!isRecord(node['inputs'])) throw new Error(`${id}.inputs: must be an object`);
  const { title = '' } = isRecord(node['_meta']) ? node['_meta'] : {};
  if (typeof title !== 'string') throw new Error(`${id}._meta.title: must be a string`);
}

/**
 * The number of frames for a graph that makes multiples of `step` plus one: the nearest such number, because servers round any
 * other number down without an error.
 */
export function frameCount(durationSeconds: number, fps: number, step: number): number {
  return Math.max(0, Math.round((durationSeconds * fps - 1) / step)) * step + 1;
}
