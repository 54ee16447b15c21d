import { colorOf, paintPng } from '../../conformance/files.fixtures';
import { type Graph, type InputValue, pruneTo } from '../graph';

/** The result of a graph, as far as it can be computed without a model. */
export interface Sketch {
  width: number;
  height: number;
  n: number;
  seed: number;
  isVideo: boolean;
  prefix: string;
  uploads: string[];
}

/** A small real MP4, whatever the requested size. */
export type EncodeVideo = () => Buffer;

const SIZED = ['ImageScale', 'WanImageToVideo', 'EmptyImage', 'EmptySD3LatentImage', 'EmptyLatentImage'];

export function sketchGraph(graph: Graph): Sketch {
  const nodes = Object.values(graph);
  const inputOf = (name: string, ...classes: string[]): string | number | undefined =>
    classes
      .flatMap((wanted) => nodes.filter(({ class_type: found }) => found === wanted))
      .map(({ inputs }) => inputs[name])
      .find((value) => typeof value === 'number' || typeof value === 'string');
  return {
    width: Number(inputOf('width', ...SIZED)),
    height: Number(inputOf('height', ...SIZED)),
    n: Number(inputOf('batch_size', ...SIZED) ?? 1),
    seed: Number(
      inputOf('seed', 'KSampler') ?? inputOf('noise_seed', 'KSamplerAdvanced') ?? inputOf('color', 'EmptyImage'),
    ),
    isVideo: nodes.some(({ class_type: name }) => name === 'SaveVideo'),
    prefix: toText(inputOf('filename_prefix', 'SaveImage', 'SaveVideo')),
    uploads: nodes.filter(({ class_type: name }) => name === 'LoadImage').map(({ inputs }) => toText(inputs['image'])),
  };
}

export function savingNodes(graph: Graph): string[] {
  return Object.keys(graph).filter((id) => ['SaveImage', 'SaveVideo'].includes(graph[id]?.class_type ?? ''));
}

export function countFiles(graph: Graph): number {
  return savingNodes(graph).reduce((sum, output) => sum + sketchGraph(pruneTo(output, graph)).n, 0);
}

/** The files of one node that saves: each image of a batch depends on the one seed and on its position. */
export function runGraph(graph: Graph, outputNode: string, encodeVideo: EncodeVideo): Buffer[] {
  const { width, height, n, seed, isVideo } = sketchGraph(pruneTo(outputNode, graph));
  if (isVideo) return [encodeVideo()];
  return Array.from({ length: n }, (_, place) => paintPng(width, height, colorOf(seed, place), JSON.stringify(graph)));
}

function toText(value: InputValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
