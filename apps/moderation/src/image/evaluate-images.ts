import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ImageView } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import type { ImageDecoder } from './image-decoder';

/** Those that an operator may set lie between the first and the last. */
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/** The images of one folder, whose name is their label. */
interface EvaluatedLabel {
  label: string;
  images: number;
  unreadable: number;
  /** Of the decode and the score of one image, without a wait for others. */
  median_ms: number;
  /** How many images each threshold blocks; it misses the others. */
  blocked: number[];
}

export interface Evaluation {
  thresholds: number[];
  labels: EvaluatedLabel[];
}

/** Scores a folder of folders of images, one image after another. Nothing is recorded. @throws Error for a folder without labels */
export async function evaluateImages(folder: string, decoder: ImageDecoder): Promise<Evaluation> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (names.length === 0) throw new Error(`${folder} has no folders: the name of a folder is the label of its images.`);
  const labels: EvaluatedLabel[] = [];
  for (const label of names.toSorted()) labels.push(await evaluateLabel(label, path.join(folder, label), decoder));
  return { thresholds: THRESHOLDS, labels };
}

async function evaluateLabel(label: string, folder: string, decoder: ImageDecoder): Promise<EvaluatedLabel> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  const scores: number[] = [];
  const times: number[] = [];
  for (const file of files) {
    const startedAt = performance.now();
    const score = await scoreOf(await readFile(file), decoder);
    if (score === null) continue;
    scores.push(score);
    times.push(performance.now() - startedAt);
  }
  return {
    label,
    images: files.length,
    unreadable: files.length - scores.length,
    median_ms: Math.round(times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0),
    blocked: THRESHOLDS.map((threshold) => scores.filter((score) => score >= threshold).length),
  };
}

/** Null for a file that is no image. */
async function scoreOf(bytes: Buffer, decoder: ImageDecoder): Promise<number | null> {
  let views: readonly ImageView[];
  try {
    const decoded = await decoder.decode({ param: null, bytes, sha256: sha256Of(bytes) }, { withJpeg: false });
    views = decoded.views();
  } catch {
    return null;
  }
  const score = Math.max(...views.map(({ sexual }) => sexual));
  if (Number.isNaN(score)) throw new Error('The image model gives no scores.');
  return score;
}
