import { randomInt } from 'node:crypto';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { DefaultedBounds } from '@kinora/contracts/catalog/model';
import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import type { ImageGenerationBody } from '@kinora/contracts/jobs/image-generation.body';
import type {
  ClientInput,
  ImageEditInput,
  ImageGenerationInput,
  ImageRef,
  JobInput,
  StoredImage,
  VideoGenerationInput,
} from '@kinora/contracts/jobs/job';
import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import type { JobPlan, NewJob } from '../job/job.entity';
import { assertEditFits, editBounds, resolveDuration, resolveFrameSize, videoFps } from '../model/bounds';
import { fitInto, formatSize, nearestSize } from '../model/size';
import { listPriceOf, totalOf } from '../model/price';
import { resolveLoras, resolveVideoLoras } from '../model/resolve-loras';
import { chooseFirst } from '../routing/choose-route';

/** A seed is less than this (decisions: Seeds). */
const SEEDS = 2_147_483_648;

/** Derives a job from a request and its model: the defaults, the price, the plan and the route. @throws ApiError invalid_body */
export function toNewJob(id: string, request: CreateJobRequest, model: ResolvedModel): NewJob {
  const input = resolveInput(request, model);
  const price = listPriceOf(model, input);
  return {
    id,
    account_id: request.account_id,
    kind: request.kind,
    model: model.id,
    input,
    images: imagesOf(request),
    provider: providerOf(model),
    plan: planOf(request, model),
    metadata: request.metadata ?? null,
    webhook_url: request.webhook_url ?? null,
    price_micros: totalOf(price),
    queue_timeout_ms: model.queue_timeout_ms,
    accepted_facts: {
      request_sha256: request.request_sha256 ?? null,
      input_image_sha256: imagesOf(request).map(({ sha256 }) => sha256),
      price,
    },
  };
}

/** The images of a request, which are already in the object store; a text-to-image job has none. */
export function imagesOf(request: CreateJobRequest): StoredImage[] {
  return request.kind === 'image.generation' ? [] : request.images;
}

function resolveInput(request: CreateJobRequest, model: ResolvedModel): JobInput {
  switch (request.kind) {
    case 'image.generation':
      return resolveGeneration(request.input, model);
    case 'image.edit':
      return resolveEdit(request.input, request.images, model);
    case 'video.generation':
      return resolveVideo(request.input, request.images, model, request.wanted_size);
  }
}

function planOf(request: CreateJobRequest, model: ResolvedModel): JobPlan {
  const { run_timeout_ms, sync_wait_ms, routes } = model;
  const common = { run_timeout_ms, sync_wait_ms, routes };
  switch (request.kind) {
    case 'image.generation':
      return { ...common, loras: resolveLoras(request.input.loras, model) };
    case 'image.edit':
      return { ...common, loras: [] };
    case 'video.generation':
      return { ...common, loras: resolveVideoLoras(request.input.loras, model), fps: videoFps(model) };
  }
}

function providerOf({ id, routes }: ResolvedModel): string {
  const route = chooseFirst(routes, Math.random());
  if (!route) throw new Error(`Model ${id} has no route`);
  return route.provider;
}

/** Under the names that the client has used (decisions: Echo of the input). */
function toEchoedImages(stored: StoredImage[]): { image?: ImageRef; images?: ImageRef[] } {
  const refs = stored.map(({ param, sha256, width, height, mime }) => ({
    param,
    ref: { sha256, width, height, mime },
  }));
  const [image] = refs.filter(({ param }) => param === 'image').map(({ ref }) => ref);
  const images = refs.filter(({ param }) => param !== 'image').map(({ ref }) => ref);
  return { ...(image && { image }), ...(images.length > 0 && { images }) };
}

function resolveGeneration(requested: ClientInput<ImageGenerationBody>, model: ResolvedModel): ImageGenerationInput {
  const size = resolveListedSize(requested, model);
  const n = requested.n ?? 1;
  const maxImages = model.capabilities.max_n ?? 1;
  if (n > maxImages)
    throw refusal('n', `This model makes at most ${maxImages === 1 ? '1 image' : `${maxImages} images`} a job.`);
  const steps = resolveBounded('steps', requested.steps, model.steps);
  const guidance = resolveBounded('guidance', requested.guidance, model.guidance);
  const { seed = randomInt(SEEDS), output_format = 'png' } = requested;
  // `Object.assign` because V8 is slow at an object literal that has properties after a spread.
  const resolved = Object.assign({}, requested, { model: model.id, size, n, seed, output_format });
  return Object.assign(resolved, steps === undefined ? {} : { steps }, guidance === undefined ? {} : { guidance });
}

function resolveEdit(
  requested: ClientInput<ImageEditBody>,
  images: StoredImage[],
  model: ResolvedModel,
): ImageEditInput {
  assertEditFits(requested, images.length, model);
  const source = images[0] ?? { width: 0, height: 0 };
  return {
    ...requested,
    model: model.id,
    ...toEchoedImages(images),
    size: requested.size ?? formatSize(fitInto(source, editBounds(model))),
    n: 1,
    seed: requested.seed ?? randomInt(SEEDS),
    output_format: requested.output_format ?? 'png',
  };
}

function resolveVideo(
  requested: ClientInput<VideoGenerationBody>,
  images: StoredImage[],
  model: ResolvedModel,
  wantedSize: string | undefined,
): VideoGenerationInput {
  const [startFrame] = images;
  if (!startFrame) throw new Error('A video job needs a start frame');
  return {
    ...requested,
    model: model.id,
    ...toEchoedImages(images),
    size: resolveFrameSize(startFrame, model, wantedSize),
    duration: resolveDuration(requested, model),
    seed: requested.seed ?? randomInt(SEEDS),
  };
}

// `size` wins over `aspect_ratio` (decisions: Sizes).
function resolveListedSize(
  { size, aspect_ratio: ratio }: ClientInput<ImageGenerationBody>,
  model: ResolvedModel,
): string {
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
  requested: number | undefined,
  bounds: DefaultedBounds | undefined,
): number | undefined {
  if (requested === undefined) return bounds?.default;
  if (!bounds) throw refusal(param, `This model does not support ${param}.`);
  if (requested < bounds.min || requested > bounds.max)
    throw refusal(param, `The value must be from ${bounds.min} to ${bounds.max} for this model.`);
  return requested;
}

function refusal(param: string, message: string): ApiError {
  return new ApiError('invalid_body', message, { param });
}
