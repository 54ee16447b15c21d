import { ApiError } from '@kinora/contracts/shared/errors';
import type { FrameBounds, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { VIDEO_DURATIONS, type VideoDuration } from '@kinora/contracts/jobs/job-choices';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';
import { fitFrame } from './frame-size';
import { type Size, formatSize, parseSize } from './image-size';

/** The bounds of a frame that a model's videos have. */
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
