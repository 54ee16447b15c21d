import { ApiError } from '@kinora/contracts/shared/errors';
import type { FrameBounds, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { VIDEO_DURATIONS, type VideoDuration } from '@kinora/contracts/jobs/job-choices';
import type { VideoGenerationBody } from '@kinora/contracts/jobs/video-generation.body';

/** The bounds of a frame that a model's videos have. */
export function frameBounds(model: ResolvedModel): FrameBounds {
  if (!model.output_frame) throw new Error(`Model ${model.id} has no output_frame bounds in the catalog`);
  return model.output_frame;
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
