import { freeNodeId, type Graph, type InputValue, isLink } from './graph';
import type { Place } from './graph-template';

/** Names that one branch's files begin with. The first is that of a graph of one image. */
const FILE_NAME = /^out(?:-(\d+))?_/;

export interface SeedBranches {
  /** One for each image; the first stands in the graph already. */
  seeds: readonly number[];
  seedPlaces: readonly Place[];
  prefixPlaces: readonly Place[];
  /** Of the task's files. */
  folder: string;
}

/** Under what names the files of a branch are saved: `out`, then `out-2` and so on. */
export function filenamePrefix(folder: string, branch: number): string {
  return branch === 0 ? `${folder}/out` : `${folder}/out-${branch + 1}`;
}

/**
 * Makes every image from a seed of its own within one graph. A server draws a batch from one seed, and no other seed makes its
 * second image again. What does not follow from the seed (loaders, text encoders) stays shared, so that it runs once; what does
 * is copied for each further seed, up to a node of its own that saves. One prompt keeps one id, one place in the queue, one end.
 */
export function addSeedBranches(graph: Graph, { seeds, seedPlaces, prefixPlaces, folder }: SeedBranches): void {
  const copied = followersOf(
    [...seedPlaces, ...prefixPlaces].map(({ nodeId }) => nodeId),
    graph,
  );
  for (const [branch, seed] of seeds.entries()) {
    if (branch === 0) continue;
    const ids = copyNodes(graph, copied);
    put(graph, ids, seedPlaces, seed);
    put(graph, ids, prefixPlaces, filenamePrefix(folder, branch));
  }
}

/** Which image of a task a file holds, by its name; 0 for a name that the graph has chosen otherwise. */
export function branchOfFile(filename: string): number {
  const [, number = '1'] = FILE_NAME.exec(filename) ?? [];
  return Number(number) - 1;
}

/** These nodes, and all that are fed by them, in the order of the graph. */
function followersOf(ids: readonly string[], graph: Graph): string[] {
  const found = new Set(ids.filter((id) => graph[id]));
  const isFed = (id: string): boolean =>
    Object.values(graph[id]?.inputs ?? {}).some((value) => isLink(value) && found.has(value[0]));
  for (let more = true; more;) {
    const fed = Object.keys(graph).filter((id) => !found.has(id) && isFed(id));
    fed.forEach((id) => found.add(id));
    more = fed.length > 0;
  }
  return Object.keys(graph).filter((id) => found.has(id));
}

/** @returns the ids of the copies by those of their originals. */
function copyNodes(graph: Graph, originals: readonly string[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const id of originals) {
    const node = graph[id];
    if (!node) continue;
    const copy = freeNodeId(graph);
    ids.set(id, copy);
    graph[copy] = structuredClone(node);
  }
  for (const copy of ids.values()) {
    const inputs = graph[copy]?.inputs ?? {};
    for (const [name, value] of Object.entries(inputs)) {
      const source = isLink(value) ? ids.get(value[0]) : undefined;
      if (source !== undefined && isLink(value)) inputs[name] = [source, value[1]];
    }
  }
  return ids;
}

function put(graph: Graph, ids: Map<string, string>, places: readonly Place[], value: InputValue): void {
  for (const { nodeId, input } of places) {
    const node = graph[ids.get(nodeId) ?? ''];
    if (node) node.inputs[input] = value;
  }
}
