import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { detailOf, hashesOfAllOrientations, qualityOf } from '../../../apps/moderation/src/image/perceptual-hash';
import { decodeImage } from '../../../apps/moderation/src/image/decode-image';
import type { CredentialSigner } from '../../../libs/credentials/src';
import { prepareOutput } from '../../../libs/images/src';
import { FileObjectStore } from '../../../libs/object-store/src';
import { median } from '../load';
import { sign, signerOfBench } from './signatures';
import type { DrawnImage } from './drawn-images';

/** Milliseconds of processor time by step. */
export type StepCosts = Record<string, number>;

const WARM_UP = 5;
const ROUNDS = 25;

/** What jobs and moderation do with one image, step by step in this process, and one decode by the library alone. */
export async function measureSteps(images: readonly DrawnImage[]): Promise<Map<DrawnImage, StepCosts>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-bench-images-'));
  const signer = signerOfBench();
  const samples = new Map<DrawnImage, Record<string, number[]>>(images.map((image) => [image, {}]));
  try {
    // All images in rotation, so that noise of the machine affects all of them alike.
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const [image, costs] of samples) {
        const steps = await runSteps(new FileObjectStore(folder), signer, image);
        if (round >= 0) for (const [step, ms] of Object.entries(steps)) (costs[step] ??= []).push(ms);
      }
    }
  } finally {
    await signer.close();
    await rm(folder, { recursive: true });
  }
  const medians = (costs: Record<string, number[]>): StepCosts =>
    Object.fromEntries(Object.entries(costs).map(([step, all]) => [step, median(all)]));
  return new Map([...samples].map(([image, costs]) => [image, medians(costs)]));
}

async function runSteps(store: FileObjectStore, signer: CredentialSigner, image: DrawnImage): Promise<StepCosts> {
  const { file, format, side } = image;
  const costs: StepCosts = {};
  const timed = async <Result>(step: string, work: () => Result | Promise<Result>): Promise<Result> => {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    costs[step] = (user + system) / 1_000;
    return result;
  };
  const spec = { format, width: side, height: side, provenance: 'algorithmicMedia' } as const;
  const key = `outputs/bench/image.${format}`;
  const { bytes: prepared, mime } = await timed('jobs: prepare', () => prepareOutput(file, spec));
  const { bytes } = await timed('jobs: sign', () => sign(signer, prepared, mime));
  await timed('jobs: SHA-256', () => sha256Of(bytes));
  await timed('jobs: store', () => store.put(key, bytes, { mime }));
  const stored = await timed('moderation: load', () => store.get(key));
  await timed('moderation: SHA-256', () => sha256Of(stored));
  const views = await timed('moderation: decode', () => decodeImage({ bytes: stored }, { withJpeg: false }));
  await timed('moderation: hashes', () =>
    views.map(({ plane }) => [detailOf(plane), qualityOf(plane), hashesOfAllOrientations(plane)]),
  );
  await timed('one decode by sharp', () => sharp(file).raw().toBuffer());
  return costs;
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
