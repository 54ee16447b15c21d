import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { type Tensor, setBackend, tensor4d, tidy } from '@tensorflow/tfjs-core';
import { sha256Of } from '../judging/sha256';
import { SAMPLE_SIDE } from './decode-image';

const load = createRequire(__filename);
const FOLDER = path.join(path.dirname(load.resolve('nsfwjs')), '../models/mobilenet_v2_mid');
const FILES = ['model.min.js', 'group1-shard1of2.min.js', 'group1-shard2of2.min.js'].map((name) =>
  path.join(FOLDER, name),
);
const SHA256 = '324cfe7eef527d72675538302fa48828e019885ad410cad47676f1a13b72faef';
/** The model's classes are Drawing, Hentai, Neutral, Porn and Sexy. It mistakes people for drawings, and portraits for Sexy. */
const CLASSES = 5;
const HENTAI = 1;
const PORN = 3;
const CHANNELS = 3;
const SAMPLE_BYTES = SAMPLE_SIDE ** 2 * CHANNELS;
const MOST_OF_A_BYTE = 255;

interface GraphFiles {
  modelTopology: object;
  weightsManifest: { weights: [] }[];
}

let loaded: Promise<GraphModel> | undefined;

/**
 * The share of sexual content in each sample, 0 to 1. A sample is an image of SAMPLE_SIDE pixels a side, as RGB bytes. The first
 * call loads the model.
 * @throws Error where the files of the model are not those that were released.
 */
export async function scoreSexualContent(samples: readonly Uint8Array[]): Promise<number[]> {
  const model = await loadSexualContentModel();
  return score(model, samples);
}

/** Loads it once. @throws Error as above */
export function loadSexualContentModel(): Promise<GraphModel> {
  return (loaded ??= loadModel().catch(forget));
}

/** The next call tries again. */
function forget(problem: unknown): never {
  loaded = undefined;
  throw problem;
}

function score(model: GraphModel, samples: readonly Uint8Array[]): number[] {
  const wrong = samples.find(({ length }) => length !== SAMPLE_BYTES);
  if (wrong) throw new Error(`A sample has ${SAMPLE_BYTES} bytes, and not ${wrong.length}.`);
  const shares = tidy(() => {
    const pixels = Float32Array.from(Buffer.concat(samples), (byte) => byte / MOST_OF_A_BYTE);
    const input = tensor4d(pixels, [samples.length, SAMPLE_SIDE, SAMPLE_SIDE, CHANNELS]);
    return (model.predict(input) as Tensor).dataSync();
  });
  if (shares.length !== CLASSES * samples.length) throw new Error(`The model gave ${shares.length} shares.`);
  return samples.map((_, at) => (shares[at * CLASSES + HENTAI] ?? NaN) + (shares[at * CLASSES + PORN] ?? NaN));
}

/**
 * Reads the released files directly: the package's own loader takes seconds of processor time, and needs the whole of
 * TensorFlow.js.
 */
async function loadModel(): Promise<GraphModel> {
  const files = await Promise.all(FILES.map((file) => readFile(file)));
  if (sha256Of(Buffer.concat(files)) !== SHA256) throw new Error('The files of the image model are damaged.');
  setWasmPaths(`${path.dirname(load.resolve('@tensorflow/tfjs-backend-wasm'))}${path.sep}`);
  setThreadsCount(1);
  if (!(await setBackend('wasm'))) throw new Error('The image model cannot run: WebAssembly is missing.');
  const [graph, ...shards] = FILES.map((file): unknown => load(file)) as [GraphFiles, ...string[]];
  const weights = Buffer.concat(shards.map((shard) => Buffer.from(shard, 'base64')));
  return loadGraphModel({
    load: async () => ({
      modelTopology: graph.modelTopology,
      weightSpecs: graph.weightsManifest.flatMap(({ weights: specs }) => specs),
      weightData: new Uint8Array(weights).buffer,
    }),
  });
}
