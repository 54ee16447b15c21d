import { isRecord } from '../http/json-answer';
import { type Graph, type GraphNode, isLink } from './graph';

/** @throws Error that names the first error, for every value that the server would refuse as a prompt. */
export function parseGraph(content: unknown): Graph {
  if (!isRecord(content)) throw new Error('must be an object of nodes');
  if (Array.isArray(content['nodes']))
    throw new Error('is in the format of the editor; use "Export (API)" instead, which servers take');
  for (const [id, node] of Object.entries(content)) assertNode(id, node);
  const graph = content as Graph;
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
}
