import type { VideoGenerationInput } from '@kinora/contracts/jobs/job';
import { formatSize } from '../../model/image-size';
import { InvalidOutput } from './collection-problem';

/** The measured properties of a video. */
export interface MeasuredVideo {
  width: number;
  height: number;
  durationSeconds: number;
  fps: number;
}

/** Models that count in frames make one frame more or less than the requested seconds contain. */
const MAX_FRAMES_OFF = 1;
/** The time base of a container cannot represent most frame rates exactly. */
const MAX_FPS_OFF = 0.01;

/** @throws InvalidOutput for a video that differs from the requested one. */
export function assertMatchesRequest(video: MeasuredVideo, input: VideoGenerationInput, fps = video.fps): void {
  const size = formatSize(video);
  if (size !== input.size) throw new InvalidOutput(`the video has the size ${size} instead of ${input.size}`);
  if (Math.abs(video.fps / fps - 1) > MAX_FPS_OFF)
    throw new InvalidOutput(`the video has ${video.fps} fps instead of ${fps}`);
  const framesOff = Math.abs(video.durationSeconds - input.duration) * fps;
  // A difference below half a frame comes from rounding the duration.
  if (Math.round(framesOff) > MAX_FRAMES_OFF)
    throw new InvalidOutput(`the video lasts ${video.durationSeconds} s instead of ${input.duration} s`);
}
