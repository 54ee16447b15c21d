import sharp from 'sharp';
import { drawImage } from '../../../apps/sandbox/src/render/draw-image';
import type { ImageFormat } from '../../../libs/images/src';

/** A file as a backend returns it. */
export interface DrawnImage {
  file: Buffer;
  format: ImageFormat;
  side: number;
}

const FORMATS: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];

/** One drawing of the sandbox in each format, with the settings that backends use most. */
export async function drawImages(side: number): Promise<DrawnImage[]> {
  const order = { operation: 'image.generation', negativePrompt: '', styles: [], images: [], blocked: false } as const;
  const size = { width: side, height: side };
  const drawing = await drawImage({ ...order, ...size, prompt: 'mountains at dawn', seed: 5 }, () => undefined);
  const encoders = {
    png: () => sharp(drawing).png({ compressionLevel: 3, adaptiveFiltering: true }),
    jpeg: () => sharp(drawing).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
    webp: () => sharp(drawing).webp({ quality: 92, effort: 0 }),
  };
  return Promise.all(FORMATS.map(async (format) => ({ file: await encoders[format]().toBuffer(), format, side })));
}
