import { freeNodeId, type Graph, type InputValue, isLink } from './graph';
import type { Place } from './graph-template';

/** The prefix of the files of a branch. The first branch has the prefix of a graph with one image. */
const FILE_NAME = /^out(?:-(\d+))?_/;

export interface SeedBranches {
  /** One seed for each image; the graph already contains the first. */
  seeds: readonly number[];
  seedPlaces: readonly Place[];
  prefixPlaces: readonly Place[];
  /** The folder of the task's files. */
  folder: string;
}

/** The file name prefix of a branch: `out`, then `out-2` and so on. */
export function filenamePrefix(folder: string, branch: number): string {
  return branch === 0 ? `${folder}/out` : `${folder}/out-${branch + 1}`;
}

/**
 * Draws every image from its own seed within one graph, because no seed reproduces the second image of a batch. Nodes that do
 * not depend on the seed (loaders, text encoders) are shared and run once. Nodes that depend on it are copied for each further
 * seed, up to a node that saves. So the job stays one prompt with one id, one place in the queue and one end.
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

/** The index of a file's image by its name; 0 for a name that the graph has chosen otherwise. */
export function branchOfFile(filename: string): number {
  const [, number = '1'] = FILE_NAME.exec(filename) ?? [];
  return Number(number) - 1;
}

/** These nodes, and all that depend on them, in the order of the graph. */
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

/** @returns the ids of the copies by those of the originals. */
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
