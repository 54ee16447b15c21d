import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageText } from '@kinora/contracts/jobs/image-input';
import { ApiError } from '@kinora/contracts/shared/errors';

/** An image as the client sent it, with the name of its field. */
export interface ImageSource {
  param: string;
  content: ImageText;
}

/** An image that must be fetched from its URL. */
export interface RemoteSource extends ImageSource {
  content: string;
}

/** `image` and `images` together (decisions: Input images). */
export const MAX_SOURCES = 3;

/** Joins `image` and `images`, `image` first. @throws ApiError invalid_body if there are none or too many */
export function toImageSources({ image, images = [] }: ImageEditBody): ImageSource[] {
  const sources = images.map((content, index) => ({ param: `images[${index}]`, content }));
  if (image !== undefined) sources.unshift({ param: 'image', content: image });
  if (sources.length === 0) throw new ApiError('invalid_body', 'image or images is required.', { param: 'image' });
  if (sources.length > MAX_SOURCES) {
    const message = `image and images must be at most ${MAX_SOURCES} together.`;
    throw new ApiError('invalid_body', message, { param: 'images' });
  }
  return sources;
}

export function isRemote(source: ImageSource): source is RemoteSource {
  return typeof source.content === 'string' && /^https:/i.test(source.content);
}
