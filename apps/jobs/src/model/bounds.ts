import type { FrameBounds, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import type { Bounds } from '@kinora/contracts/catalog/model';
import type { ImageEditBody } from '@kinora/contracts/jobs/image-edit.body';
import { VIDEO_DURATIONS, type VideoDuration } from '@kinora/contracts/jobs/job-choices';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { ApiError } from '@kinora/contracts/shared/errors';
import { fitFrame, formatSize, isWithin, parseSize, type Size } from './size';

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

export function frameBounds(model: ResolvedModel): FrameBounds {
  if (!model.output_frame) throw new Error(`Model ${model.id} has no output_frame bounds in the catalog`);
  return model.output_frame;
}

/**
 * The size of the frame that the model makes of the start frame. A wanted size fits if a start frame of that size gets the same
 * frame: the video then shows what the client expects, at the resolution of the model.
 * @throws ApiError invalid_body
 */
export function resolveFrameSize(startFrame: Size, model: ResolvedModel, wanted: string | undefined): string {
  const frame = formatSize(fitFrame(startFrame, frameBounds(model)));
  if (wanted === undefined) return frame;
  const wantedSize = parseSize(wanted);
  if (wantedSize && formatSize(fitFrame(wantedSize, frameBounds(model))) === frame) return frame;
  const problem = `The video of this start frame has the size ${frame}, because its ratio is kept.`;
  throw new ApiError('invalid_body', `${problem} Leave size out, or send that size.`, { param: 'size' });
}

export function videoFps({ id, capabilities }: ResolvedModel): number {
  if (capabilities.fps === undefined) throw new Error(`Model ${id} has no fps`);
  return capabilities.fps;
}

/**
 * The requested seconds, else the model's shortest duration (API: VideoGenerationBody.duration).
 * @throws ApiError invalid_body
 */
export function resolveDuration(
  { duration }: Pick<VideoGenerationBody, 'duration'>,
  model: ResolvedModel,
): VideoDuration {
  const offered = VIDEO_DURATIONS.filter((each) => model.capabilities.durations?.includes(each));
  const [shortest] = offered;
  if (shortest === undefined) throw new Error(`Model ${model.id} has no duration`);
  if (duration === undefined) return shortest;
  if (!offered.includes(duration)) {
    const message = `This model makes videos of these durations in seconds: ${offered.join(', ')}.`;
    throw new ApiError('invalid_body', message, { param: 'duration' });
  }
  return duration;
}
