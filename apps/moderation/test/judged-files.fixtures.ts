import sharp, { type Sharp } from 'sharp';
import type { FileObjectStore } from '@kinora/object-store';
import { encodeTestVideo } from '@kinora/testing';
import { readImageCanaries } from '../src/image/image-canary';
import { readTestImage } from '../src/image/known-image';

/** Images and videos that pass, are blocked or doubtful, or are no such file. */
export async function storeJudgedFiles(store: FileObjectStore): Promise<void> {
  await store.put('blocked.png', await readTestImage(), { mime: 'image/png' });
  const sheet = sharp({ create: canvas('#3a6') }).png();
  await store.put('fine.png', await sheet.toBuffer(), { mime: 'image/png' });
  await store.put('broken.png', Buffer.from('no image'), { mime: 'image/png' });
  const [, doubtful] = await readImageCanaries();
  await store.put('doubtful.png', doubtful?.bytes ?? Buffer.alloc(0), { mime: 'image/png' });
  await storeVideos(store);
}

async function storeVideos(store: FileObjectStore): Promise<void> {
  const image = await pixelsOf(sharp(await readTestImage()).resize(256, 256));
  const sheet = await pixelsOf(sharp({ create: { ...canvas('#3a6'), width: 256, height: 256 } }));
  const put = async (key: string, frames: number, shows: (index: number) => boolean) => {
    const frameAt = (index: number) => (shows(index) ? image : sheet);
    const video = await encodeTestVideo({ width: 256, height: 256, fps: 16, frames, frameAt });
    await store.put(key, video, { mime: 'video/mp4' });
    return video;
  };
  const fine = await put('fine.mp4', 48, () => false);
  await store.put('cut.mp4', fine.subarray(0, -200), { mime: 'video/mp4' });
  await put('blocked.mp4', 8, () => true);
  await put('half-a-second.mp4', 48, (index) => index >= 21 && index < 29);
  await put('single-frame.mp4', 48, (index) => index === 30);
}

function canvas(background: string) {
  return { width: 128, height: 128, channels: 3 as const, background };
}

function pixelsOf(image: Sharp): Promise<Buffer> {
  return image.ensureAlpha().raw().toBuffer();
}
