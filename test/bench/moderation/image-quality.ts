import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { decodeImage } from '../../../apps/moderation/src/image/decode-image';
import { LOCAL_THRESHOLDS } from '../../../apps/moderation/src/image/local-image.engine';
import { scoreSexualContent } from '../../../apps/moderation/src/image/score-sexual-content';
import { framesToScreen } from '../../../apps/moderation/src/video/stored-outputs';
import { BUILT_IN_DECODER } from '../../../libs/videos/src';
import { median } from '../load';
import { drawnImage, partsOfPhotograph, skinTexture } from './benign-images';

const { sexual = 1, sexual_young_context: young = 1 } = LOCAL_THRESHOLDS.defaults.image;
/** From the folder of the project, since builds have no recordings. */
const VIDEO = path.resolve('libs/videos/recordings/h264-high-5s.mp4');
const VIDEO_DECODER = { ffmpegPath: '', builtInDecoder: BUILT_IN_DECODER, timeoutMs: 60_000 };
/** As many as the gate judges at once. */
const FRAMES_AT_ONCE = 4;

/** How many images that show nothing sexual the default thresholds block. */
export interface FalseBlocks {
  images: number;
  blocked: number;
  /** Where a text of the job mentions a minor. */
  blockedWhereYoung: number;
}

export interface BenignImages {
  drawings: FalseBlocks;
  textures: FalseBlocks;
  /** Of a folder of photographs, each whole and in four parts; null without one. */
  photographs: FalseBlocks | null;
  /** Medians of one image's processor time. */
  decodeMs: number;
  scoreMs: number;
}

export async function measureBenignImages(count: number, photographs: string | undefined): Promise<BenignImages> {
  const decodes: number[] = [];
  const judgements: number[] = [];
  const judge = async (images: AsyncIterable<Buffer>): Promise<FalseBlocks> => {
    const scores: number[] = [];
    for await (const bytes of images) {
      const start = process.cpuUsage();
      const views = await decodeImage({ bytes }, { withJpeg: false });
      const decoded = process.cpuUsage();
      decodes.push(cpuMsSince(start));
      scores.push(Math.max(...(await scoreSexualContent(views.map(({ sample }) => sample)))));
      judgements.push(cpuMsSince(decoded));
    }
    const blockedFrom = (threshold: number) => scores.filter((score) => score >= threshold).length;
    return { images: scores.length, blocked: blockedFrom(sexual), blockedWhereYoung: blockedFrom(young) };
  };
  return {
    drawings: await judge(numbered(count, drawnImage)),
    textures: await judge(numbered(count, skinTexture)),
    photographs: photographs === undefined ? null : await judge(partsOfAll(photographs)),
    decodeMs: median(decodes),
    scoreMs: median(judgements),
  };
}

/** Of the decode of a video of five seconds and the scores of its frames, in processor time. */
export async function measureVideo(): Promise<{ frames: number; scoreCpuMs: number }> {
  const bytes = await readFile(VIDEO);
  const samples: Buffer[] = [];
  for await (const frame of framesToScreen(bytes, VIDEO_DECODER))
    samples.push(...(await decodeImage(frame, { withJpeg: false })).map(({ sample }) => sample));
  const before = process.cpuUsage();
  for (let at = 0; at < samples.length; at += FRAMES_AT_ONCE)
    await scoreSexualContent(samples.slice(at, at + FRAMES_AT_ONCE));
  return { frames: samples.length, scoreCpuMs: cpuMsSince(before) };
}

async function* numbered(count: number, paint: (number: number) => Promise<Buffer>): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number++) yield await paint(number);
}

async function* partsOfAll(folder: string): AsyncGenerator<Buffer> {
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) yield* await partsOfPhotograph(path.join(file.parentPath, file.name));
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
