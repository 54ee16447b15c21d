import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { SAMPLE_SIDE } from './decode-image';

const FILE = path.join(__dirname, '../../assets/image-canaries.json');
/** Cells a side of a field of colours. */
export const FIELD_SIDE = 8;

/** A picture of nothing, and the score that the image model must give it. */
export interface ImageCanary {
  bytes: Buffer;
  score: number;
}

/**
 * The fields of colours that `test/bench/moderation/find-image-canaries.ts` found: they show nothing, and the image model finds the
 * last one sexual. Damaged weights, or pixels in another order or on another scale, give other scores.
 */
export async function readImageCanaries(): Promise<ImageCanary[]> {
  const found = JSON.parse(await readFile(FILE, 'utf8')) as { score: number; field: string }[];
  return Promise.all(
    found.map(async ({ score, field }) => ({ score, bytes: await showField(Buffer.from(field, 'base64')) })),
  );
}

/** A PNG in which the colours of the cells, as RGB bytes, run into each other. */
export function showField(colours: Buffer): Promise<Buffer> {
  return sharp(colours, { raw: { width: FIELD_SIDE, height: FIELD_SIDE, channels: 3 } })
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { kernel: 'linear', fit: 'fill' })
    .png()
    .toBuffer();
}
