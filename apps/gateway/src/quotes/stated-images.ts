import type { ImageSides } from '@kinora/contracts/jobs/image-input';
import { findFieldProblem } from '@kinora/contracts/shared/field-problem';
import { IsIntegerIn } from '@kinora/contracts/shared/field-rules';
import { isRecord } from '@kinora/contracts/shared/texts';
import { INPUT_BOUNDS } from '@kinora/images';
import { fieldRefusal } from '../http/error-answer';
import { MAX_SOURCES } from '../image-input/image-source';

const SIDE_PX = { min: INPUT_BOUNDS.minSidePx, max: INPUT_BOUNDS.maxSidePx };

/** Takes the place of an image that a quote leaves out or states by its sides; it passes the rule of its field and is never read. */
export const PLACEHOLDER = 'https://image.example/left-out.png';

class StatedImage implements ImageSides {
  @IsIntegerIn(SIDE_PX)
  width!: number;

  @IsIntegerIn(SIDE_PX)
  height!: number;
}

/** The request with a placeholder for each image that is stated by its sides, and these sides by the name of the field. */
export interface WithoutStatedImages {
  request: Record<string, unknown>;
  sides: ReadonlyMap<string, ImageSides>;
}

/** @throws ApiError invalid_body */
export function takeStatedImages(request: Record<string, unknown>): WithoutStatedImages {
  const sides = new Map<string, ImageSides>();
  const take = (value: unknown, param: string): unknown => {
    if (!isRecord(value) || value instanceof Uint8Array) return value;
    sides.set(param, readSides(value, param));
    return PLACEHOLDER;
  };
  const { image, images } = request;
  // A longer list is refused by the rule of its field, whatever its items are.
  const isList = Array.isArray(images) && images.length <= MAX_SOURCES;
  return {
    request: {
      ...request,
      ...(image !== undefined && image !== null && { image: take(image, 'image') }),
      ...(isList && { images: images.map((each, index) => take(each, `images[${index}]`)) }),
    },
    sides,
  };
}

function readSides(value: Record<string, unknown>, path: string): ImageSides {
  const problem = findFieldProblem(StatedImage, value, path);
  if (problem === null) return value as unknown as StatedImage;
  throw fieldRefusal(problem.param, problem.message);
}
