import type { ImageOutput, Kinora } from '@kinora/client';
import { Semaphore } from '@kinora/service-kit/without-nest';
import { openImage } from '@kinora/images';

const LARGEST_SIDE = 256;
/** The largest output of this service is about 67 MB, an RGBA image of 4096² that compression did not make smaller. */
const LARGEST_SOURCE_BYTES = 80 * 1024 * 1024;
/** Bytes of outputs that one process holds at once, for all clients. */
const memory = new Semaphore(2 * LARGEST_SOURCE_BYTES);

/** A small JPEG of an output in base64, so that an agent sees the image without megabytes in its context; null if it cannot be made. */
export async function toThumbnail(kinora: Kinora, image: ImageOutput): Promise<string | null> {
  if (image.url === null || image.bytes > LARGEST_SOURCE_BYTES) return null;
  // The link is in the answer, so that a thumbnail that cannot be made is no failure of the call.
  return await memory.run(() => shrink(kinora, image), { permits: image.bytes }).catch(() => null);
}

async function shrink(kinora: Kinora, image: ImageOutput): Promise<string> {
  const { buffer, byteOffset, length } = await kinora.download(image);
  const small = openImage(Buffer.from(buffer, byteOffset, length)).resize(LARGEST_SIDE, LARGEST_SIDE, {
    fit: 'inside',
  });
  return (await small.flatten({ background: '#ffffff' }).jpeg({ quality: 75 }).toBuffer()).toString('base64');
}
