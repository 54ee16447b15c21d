import sharp from 'sharp';
import { drawImage } from '../../../apps/sandbox/src/render/draw-image';
import { renderVideo } from '../../../apps/sandbox/src/video/render-video';
import type { ImageFormat } from '../../../libs/images/src';

/** A file as a backend returns it. */
export interface DrawnImage {
  file: Buffer;
  format: ImageFormat;
  side: number;
}

const FORMATS: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];
const DRAWING = {
  operation: 'image.generation',
  prompt: 'mountains at dawn',
  negativePrompt: '',
  seed: 5,
  styles: [],
  images: [],
  blocked: false,
} as const;

/** One drawing of the sandbox in each format, with the settings that backends use most. */
export async function drawImages(side: number): Promise<DrawnImage[]> {
  const drawing = await drawImage({ ...DRAWING, width: side, height: side }, () => undefined);
  const encoders = {
    png: () => sharp(drawing).png({ compressionLevel: 3, adaptiveFiltering: true }),
    jpeg: () => sharp(drawing).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
    webp: () => sharp(drawing).webp({ quality: 92, effort: 0 }),
  };
  return Promise.all(FORMATS.map(async (format) => ({ file: await encoders[format]().toBuffer(), format, side })));
}

/** A video of five seconds, as a backend returns it. */
export async function drawVideo(): Promise<Buffer> {
  const [frame] = await drawImages(512);
  const order = {
    ...DRAWING,
    operation: 'video.generation' as const,
    images: frame ? [frame.file] : [],
    ...{ width: 832, height: 480, frames: 80, fps: 16 },
  };
  return Buffer.from(await renderVideo(order, () => undefined));
}
