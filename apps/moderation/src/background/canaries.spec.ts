import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { Readiness } from '@kinora/service-kit';
import { ManualClock, createTestLog } from '@kinora/testing';
import { readImageCanaries } from '../image/image-canary';
import { ImageHashEngine } from '../image/image-hash.engine';
import type { ImageDecoder } from '../image/image-decoder';
import { readTestImage } from '../image/known-image';
import { TextRulesEngine } from '../text/text-rules.engine';
import {
  builtInEngines,
  imageProcessScoring,
  startImageProcess,
  testDecoder,
  testImageProcess,
} from '../../test/gate.fixtures';
import { Canaries } from './canaries';
import type { Engines } from '../judging/engine';
import { Gate } from '../gate/gate';
import { sha256Of } from '../judging/sha256';

function canariesFor(
  engines: Engines,
  decoder = testDecoder(),
): { canaries: Canaries; gate: Gate; readiness: Readiness } {
  const readiness = new Readiness(new ManualClock());
  const { logger } = createTestLog();
  const gate = new Gate(engines, decoder, logger);
  return { canaries: new Canaries(gate, decoder, readiness, logger), gate, readiness };
}

/** Read by the process before its program: one bit of the model's weights is another one. */
const DAMAGE = `const files = require('node:fs/promises');
const { readFile } = files;
files.readFile = async (file, ...options) => {
  const content = await readFile(file, ...options);
  if (String(file).includes('group1-shard1of2')) content[1_000] ^= 1;
  return content;
};`;

function probeOf(readiness: Readiness): (() => Promise<void>) | undefined {
  return readiness.list().find(([name]) => name === 'moderation_canaries')?.[1];
}

/** Without a process, whose timers would be fake ones. */
async function scoringAsKnown(): Promise<ImageDecoder> {
  const fields = await readImageCanaries();
  const samples = fields.map(async ({ bytes, score }) => [await sampleOf(bytes), score] as const);
  const known = new Map(await Promise.all(samples));
  const score = async (given: Buffer[]) => given.map((sample) => known.get(sha256Of(sample)) ?? 0);
  return testDecoder({}, imageProcessScoring(score));
}

async function sampleOf(field: Buffer): Promise<string> {
  return sha256Of(await sharp(field).removeAlpha().raw().toBuffer());
}

/** Like `waitFor`, but works with fake timers. */
async function waitForRound(isOver: () => boolean): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (!isOver());
}

describe('canaries', () => {
  it('let the service start with the built-in engines, and are judged again at each request', async () => {
    const decoder = testDecoder();
    const decode = jest.spyOn(decoder, 'decode');
    const { canaries, readiness } = canariesFor(await builtInEngines(), decoder);

    await canaries.onModuleInit();

    // Two fields for their scores, and two images for the gate. The next round begins a minute later.
    expect(decode).toHaveBeenCalledTimes(4);
    await expect(probeOf(readiness)?.()).resolves.toBeUndefined();
    await canaries.onApplicationShutdown();
  });

  it('close a running gate within a minute when one passes, and open it when all are blocked again', async () => {
    const { image } = await builtInEngines();
    let objection: string | null = 'test_text';
    const received = { name: 'told', version: '1', judge: () => ({ objection, scores: {} }) };
    const { canaries, gate, readiness } = canariesFor({ text: [received], image }, await scoringAsKnown());
    const minute = async (isTrusted: boolean) => {
      // The round before has ended when the wait for the next one has begun.
      await waitForRound(() => jest.getTimerCount() > 0);
      jest.advanceTimersByTime(60_000);
      await waitForRound(() => gate.isTrusted === isTrusted);
    };
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      await canaries.onModuleInit();
      objection = null;
      await minute(false);
      await expect(probeOf(readiness)?.()).rejects.toThrow('does not block its canaries');
      await expect(gate.judge({ texts: [{ param: 'prompt', text: 'a boat' }], images: [] })).rejects.toMatchObject({
        code: 'capacity',
        retryAfterSeconds: 1,
      });

      objection = 'test_text';
      await minute(true);
      await expect(probeOf(readiness)?.()).resolves.toBeUndefined();
    } finally {
      jest.useRealTimers();
      await canaries.onApplicationShutdown();
    }
  });

  it('stop the start when the gate passes the text', async () => {
    const { image } = await builtInEngines();

    const { canaries } = canariesFor({ text: [new TextRulesEngine({ terms: [], shortWords: [] })], image });

    await expect(canaries.onModuleInit()).rejects.toThrow('did not block 1 of 3 canaries');
  });

  it('stop the start when the hash engine recognises only the identical file', async () => {
    const { text, image } = await builtInEngines();
    const known = { reason: 'test_picture', sha256: sha256Of(await readTestImage()), hashes: [] };

    const { canaries } = canariesFor({ text, image: [new ImageHashEngine([known]), ...image.slice(1)] });

    await expect(canaries.onModuleInit()).rejects.toThrow('did not block 1 of 3 canaries');
  });

  it('stop the start when an engine fails', async () => {
    const { text } = await builtInEngines();
    const broken = { name: 'broken', version: '1', judge: () => Promise.reject(new Error('out of order')) };

    const { canaries } = canariesFor({ text, image: [broken] });

    await expect(canaries.onModuleInit()).rejects.toThrow('did not block 2 of 3 canaries');
  });

  it('stop the start when the image engine lets its canary pass', async () => {
    const { text, image } = await builtInEngines();

    const { canaries } = canariesFor({ text, image: image.slice(0, 1) });

    await expect(canaries.onModuleInit()).rejects.toThrow('did not block 1 of 3 canaries');
  });

  it.each<[fault: string, change: (sample: Buffer) => Buffer]>([
    [
      'with red and blue exchanged',
      (sample) => Buffer.from(sample.map((_, at) => sample[at + 2 * (1 - (at % 3))] ?? 0)),
    ],
    ['on another scale', (sample) => Buffer.from(sample.map((byte) => byte / 2))],
    ['with its rows from the bottom', (sample) => Buffer.from(sample).reverse()],
    ['cut short', (sample) => sample.subarray(3)],
  ])('stop the start when the image model receives its pixels %s', async (_, change) => {
    const altered = (samples: Buffer[]) => testImageProcess().score(samples.map(change), null);
    const decoder = testDecoder({}, imageProcessScoring(altered));

    const { canaries, gate } = canariesFor(await builtInEngines(), decoder);

    await expect(canaries.onModuleInit()).rejects.toThrow(
      'The image model does not give its canaries their known scores.',
    );
    expect(gate.isTrusted).toBe(false);
  });

  it('stop the start when one bit of the weights is damaged', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-damage-'));
    const preload = path.join(folder, 'damage.cjs');
    await writeFile(preload, DAMAGE);
    const damaged = startImageProcess(['--require', preload]);

    await expect(damaged.score([Buffer.alloc(224 * 224 * 3)], null)).rejects.toThrow('damaged');
    const { canaries, gate } = canariesFor(await builtInEngines(), testDecoder({}, damaged));
    await expect(canaries.onModuleInit()).rejects.toThrow('known scores');
    expect(gate.isTrusted).toBe(false);
    damaged.onApplicationShutdown();
    await rm(folder, { recursive: true });
  });

  it('close the gate when the running model changes, although it has scored the same fields before', async () => {
    let isSound = true;
    const score = async (samples: Buffer[]): Promise<number[]> =>
      isSound ? await testImageProcess().score(samples, null) : samples.map(() => 0.5);
    const { canaries, gate } = canariesFor(await builtInEngines(), testDecoder({}, imageProcessScoring(score)));
    await canaries.onModuleInit();
    await canaries.onApplicationShutdown();
    isSound = false;

    await expect(canaries.show()).rejects.toThrow('known scores');
    expect(gate.isTrusted).toBe(false);
  });

  it.each([NaN, -0.1, 1.1])('stop the start when the image model gives the score %d', async (score) => {
    const decoder = testDecoder(
      {},
      imageProcessScoring(async () => [score]),
    );

    const { canaries } = canariesFor(await builtInEngines(), decoder);

    await expect(canaries.onModuleInit()).rejects.toThrow('known scores');
  });
});
