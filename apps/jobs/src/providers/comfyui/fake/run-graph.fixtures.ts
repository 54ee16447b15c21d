import type { Graph, InputValue } from '../graph';
import { paintPng } from './paint-png.fixtures';

/** What a graph comes to, as far as it can be told without a model. */
export interface Sketch {
  width: number;
  height: number;
  n: number;
  seed: number;
  isVideo: boolean;
  prefix: string;
  uploads: string[];
}

/** A small real MP4, whatever size was asked for. */
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

/** The files that the graph makes. */
export function runGraph(graph: Graph, encodeVideo: EncodeVideo): Buffer[] {
  const { width, height, n, seed, isVideo } = sketchGraph(graph);
  if (isVideo) return [encodeVideo()];
  return Array.from({ length: n }, (_, index) =>
    paintPng(width, height, (seed + index) & 0xffffff, JSON.stringify(graph)),
  );
}

function toText(value: InputValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
