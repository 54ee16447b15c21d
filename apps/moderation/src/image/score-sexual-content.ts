import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import {
  type Rank,
  type Tensor,
  type Tensor4D,
  concat,
  image,
  mean,
  minimum,
  mul,
  reverse,
  setBackend,
  slice,
  sub,
  tensor4d,
  tidy,
} from '@tensorflow/tfjs-core';
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
const SAMPLE_SHAPE: [number, number] = [SAMPLE_SIDE, SAMPLE_SIDE];

/** The parts of the graph: its input from -1 to 1, and its features before and after the average over all places. */
const GRAPH = `StatefulPartitionedCall/sequential/keras_layer/${'StatefulPartitionedCall/'.repeat(3)}predict`;
const INPUT = `${GRAPH}/hub_input/Sub`;
const FEATURES = `${GRAPH}/MobilenetV2/Conv_1/Relu6`;
const AVERAGE = `${GRAPH}/MobilenetV2/Logits/AvgPool`;
const OUTPUT = 'Identity';

/** Each sample is scored first at so many pixels a side, which takes three quarters of the processor time. */
const FIRST_SIDE = 192;
/**
 * Samples from this score on are scored at full size. No threshold of an operator is as low. Of 720 benign images the full size
 * gave 53 a score of 0.3 or more, and the first size gave each of them more than this one.
 */
const DOUBTFUL_FROM = 0.05;
/**
 * Samples from this score on are scored again as variants (test-time augmentation), and their score is the geometric mean: what is
 * sexual remains so when it is mirrored, nearer or brighter, and a smooth drawing in the colours of skin mostly does not. In
 * another hue, it would not.
 */
const AUGMENTED_FROM = 0.3;
/** Top, left, bottom and right, as shares of the sides. */
const INNER_PART: [number, number, number, number] = [1 / 8, 1 / 8, 7 / 8, 7 / 8];
const BRIGHTNESS = 1.2;

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
  return tidy(() => {
    const input = tensor4d(toShares(samples), [samples.length, ...SAMPLE_SHAPE, CHANNELS]);
    const scores = predict(model, image.resizeBilinear(input, [FIRST_SIDE, FIRST_SIDE], false, true));
    return scores.map((score, at) => (score < DOUBTFUL_FROM ? score : scoreDoubtful(model, sampleAt(input, at))));
  });
}

function sampleAt(input: Tensor4D, at: number): Tensor4D {
  return slice<Rank.R4, Tensor4D>(input, [at, 0, 0, 0], [1, ...SAMPLE_SHAPE, CHANNELS]);
}

function scoreDoubtful(model: GraphModel, sample: Tensor4D): number {
  const [score = NaN] = predict(model, sample);
  if (score < AUGMENTED_FROM) return score;
  const nearer = image.cropAndResize(sample, [INNER_PART], [0], SAMPLE_SHAPE);
  const variants = concat<Tensor4D>([reverse(sample, 2), nearer, minimum(mul(sample, BRIGHTNESS), 1)]);
  const scores = [score, ...predict(model, variants)];
  return scores.reduce((product, one) => product * one, 1) ** (1 / scores.length);
}

/** The colours as numbers from 0 to 1. A loop takes a tenth of the time of `Float32Array.from`. */
function toShares(samples: readonly Uint8Array[]): Float32Array {
  const shares = new Float32Array(samples.length * SAMPLE_BYTES);
  for (const [number, sample] of samples.entries())
    for (let at = 0; at < SAMPLE_BYTES; at++) shares[number * SAMPLE_BYTES + at] = (sample[at] ?? 0) / MOST_OF_A_BYTE;
  return shares;
}

/** For samples of any size: the graph's own average is that of SAMPLE_SIDE. */
function predict(model: GraphModel, input: Tensor4D): number[] {
  const features = model.execute({ [INPUT]: sub(mul(input, 2), 1) }, FEATURES) as Tensor4D;
  const shares = (model.execute({ [AVERAGE]: mean(features, [1, 2], true) }, OUTPUT) as Tensor).dataSync();
  const [count] = input.shape;
  if (shares.length !== CLASSES * count) throw new Error(`The model gave ${shares.length} shares.`);
  return Array.from(
    { length: count },
    (_, at) => (shares[at * CLASSES + HENTAI] ?? NaN) + (shares[at * CLASSES + PORN] ?? NaN),
  );
}

const EXPORTED = 'exports="';

/** The bytes that a file exports as base64. V8 needs four times as long to run the file. */
function readExported(file: Buffer): Buffer {
  const from = file.indexOf(EXPORTED) + EXPORTED.length;
  return Buffer.from(file.toString('latin1', from, file.indexOf('"', from)), 'base64');
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
  const graph = load(FILES[0] as string) as GraphFiles;
  const weights = Buffer.concat(files.slice(1).map(readExported));
  return loadGraphModel({
    load: async () => ({
      modelTopology: graph.modelTopology,
      weightSpecs: graph.weightsManifest.flatMap(({ weights: specs }) => specs),
      weightData: new Uint8Array(weights).buffer,
    }),
  });
}
