import { ApiError } from '@kinora/contracts/shared/errors';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { Bounds } from '@kinora/contracts/catalog/model';
import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { isWithin, parseSize } from './image-size';

/** The bounds of each side that a model's edits may have. */
export function editBounds(model: ResolvedModel): Bounds {
  if (!model.output_side) throw new Error(`Model ${model.id} has no output_side bounds in the catalog`);
  return model.output_side;
}

/** The checks of an edit that need no image, so that they run before any image is fetched. @throws ApiError invalid_body */
export function assertEditFits(
  { size: requestedSize }: Pick<ImageEditBody, 'size'>,
  imageCount: number,
  model: ResolvedModel,
): void {
  const maxImages = model.capabilities.max_refs ?? 1;
  if (imageCount > maxImages) {
    const message = `This model takes at most ${maxImages === 1 ? '1 image' : `${maxImages} images`}.`;
    throw new ApiError('invalid_body', message, { param: 'images' });
  }
  if (requestedSize === undefined) return;
  const size = parseSize(requestedSize);
  const bounds = editBounds(model);
  if (!size || !isWithin(size, bounds)) {
    throw new ApiError('invalid_body', `Each side must be from ${bounds.min} to ${bounds.max} pixels.`, {
      param: 'size',
    });
  }
}
