import { randomInt } from 'node:crypto';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Bounds, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type {
  ImageEditInput,
  ImageEditWish,
  ImageGenerationInput,
  ImageGenerationWish,
  ImageRef,
  JobInput,
  StoredImage,
  VideoGenerationInput,
  VideoGenerationWish,
} from '@kinora/contracts/jobs/job-inputs';
import type { JobWish } from '@kinora/contracts/jobs/jobs.rpc';
import { assertEditFits, editBounds } from '../../model/edit-bounds';
import { fitFrame } from '../../model/frame-size';
import { fitInto, formatSize, nearestSize } from '../../model/image-size';
import { frameBounds, resolveDuration } from '../../model/video-bounds';

/** A seed is less than this (decisions: Seeds). */
const SEEDS = 2_147_483_648;

/** The wish with every default in place. @throws ApiError invalid_body for what this model does not take. */
export function resolveInput(wish: JobWish, model: ResolvedModel): JobInput {
  switch (wish.kind) {
    case 'image.generation':
      return resolveGeneration(wish.input, model);
    case 'image.edit':
      return resolveEdit(wish.input, toImageRefs(wish.images), model);
    case 'video.generation':
      return resolveVideo(wish.input, toImageRefs(wish.images), model);
  }
}

function toImageRefs(images: StoredImage[]): ImageRef[] {
  return images.map(({ sha256, width, height, mime }) => ({ sha256, width, height, mime }));
}

function resolveGeneration(wish: ImageGenerationWish, model: ResolvedModel): ImageGenerationInput {
  const size = resolveListedSize(wish, model);
  const n = wish.n ?? 1;
  const maxImages = model.capabilities.max_n ?? 1;
  if (n > maxImages) throw refusal('n', `This model makes at most ${maxImages} images a job.`);
  const steps = resolveBounded('steps', wish.steps, model.steps);
  const guidance = resolveBounded('guidance', wish.guidance, model.guidance);
  const { seed = randomInt(SEEDS), output_format = 'png' } = wish;
  // A literal that goes on behind a spread takes the engine's slow way for each of its fields.
  const resolved = Object.assign({}, wish, { model: model.id, size, n, seed, output_format });
  return Object.assign(resolved, steps === undefined ? {} : { steps }, guidance === undefined ? {} : { guidance });
}

function resolveEdit(wish: ImageEditWish, images: ImageRef[], model: ResolvedModel): ImageEditInput {
  assertEditFits(wish, images.length, model);
  const source = images[0] ?? { width: 0, height: 0 };
  return {
    ...wish,
    model: model.id,
    images,
    size: wish.size ?? formatSize(fitInto(source, editBounds(model))),
    n: 1,
    seed: wish.seed ?? randomInt(SEEDS),
    output_format: wish.output_format ?? 'png',
  };
}

function resolveVideo(wish: VideoGenerationWish, images: ImageRef[], model: ResolvedModel): VideoGenerationInput {
  const [startFrame] = images;
  if (!startFrame) throw new Error('A video without a start frame');
  return {
    ...wish,
    model: model.id,
    images,
    size: formatSize(fitFrame(startFrame, frameBounds(model))),
    duration: resolveDuration(wish, model),
    seed: wish.seed ?? randomInt(SEEDS),
  };
}

// `size` wins over `aspect_ratio` (decisions: Sizes).
function resolveListedSize({ size, aspect_ratio: ratio }: ImageGenerationWish, model: ResolvedModel): string {
  const listed = model.capabilities.sizes ?? [];
  if (size !== undefined) {
    if (!listed.includes(size)) throw refusal('size', `This model makes these sizes: ${listed.join(', ')}.`);
    return size;
  }
  const chosen = ratio === undefined ? listed[0] : nearestSize(ratio, listed);
  if (chosen === undefined || chosen === null) throw new Error(`Model ${model.id} lists no size`);
  return chosen;
}

function resolveBounded(
  param: string,
  wish: number | undefined,
  bounds: (Bounds & { default: number }) | undefined,
): number | undefined {
  if (wish === undefined) return bounds?.default;
  if (!bounds) throw refusal(param, `This model has no ${param} to choose.`);
  if (wish < bounds.min || wish > bounds.max)
    throw refusal(param, `Must be from ${bounds.min} to ${bounds.max} for this model.`);
  return wish;
}

function refusal(param: string, message: string): ApiError {
  return new ApiError('invalid_body', message, { param });
}
