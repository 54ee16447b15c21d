import sharp, { type Sharp } from 'sharp';
import type { FileObjectStore } from '@kinora/object-store';
import { encodeTestVideo } from '@kinora/testing';
import { showField } from '../src/image/image-canary';
import { readTestImage } from '../src/image/known-image';

const DOUBTFUL =
  '6LSe2Zmz75KPypaA36uV05+J5bGb6bWf97R838aQqIhW5bGb/dzM3pNN+8ex9MCq9sKs+saw/7i52aWPwYN58r6o1KCK//jr/6Cr6bWfz5uF+8exiGAq9sKs8r6oy5eB' +
  '98Ot6LSe1KCK///0xJB6y5eB4q6Y0Z2HxZF7h5RT/+TVw4956bWf5Lif1KCKo4xj4q6Yx5N99sKs4a2X05+JxZF7+vX0xpJ86bWf+8exxJB62KSO2aWP67ehxpJ89sKs';

/** A field of colours that the image model scores 0.228: only the threshold beside a mention of a minor blocks it. */
export function drawDoubtful(): Promise<Buffer> {
  return showField(Buffer.from(DOUBTFUL, 'base64'));
}

/** Images and videos that pass, are blocked or doubtful, or are no such file. */
export async function storeJudgedFiles(store: FileObjectStore): Promise<void> {
  await store.put('blocked.png', await readTestImage(), { mime: 'image/png' });
  const sheet = sharp({ create: canvas('#3a6') }).png();
  await store.put('fine.png', await sheet.toBuffer(), { mime: 'image/png' });
  await store.put('broken.png', Buffer.from('no image'), { mime: 'image/png' });
  await store.put('doubtful.png', await drawDoubtful(), { mime: 'image/png' });
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
