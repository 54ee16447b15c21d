import { nearestNames } from '../assert-routes';
import type { Graph } from './graph';
import type { Place } from './graph-template';

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
  if (inputs[input] === undefined)
    throw new Error(
      `${where}: node ${node} has no input ${input}; there are ${nearestNames(input, Object.keys(inputs))}`,
    );
  return { nodeId, input };
}
