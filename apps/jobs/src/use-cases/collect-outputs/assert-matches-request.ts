import type { VideoGenerationInput } from '@kinora/contracts/jobs/job';
import { formatSize } from '../../model/image-size';
import { InvalidOutput } from './collection-problem';

/** What a video was measured to be. */
export interface MeasuredVideo {
  width: number;
  height: number;
  durationSeconds: number;
  fps: number;
}

/** Models that count in frames make one more, or one less, than the seconds hold. */
const MAX_FRAMES_OFF = 1;
/** Clocks of containers cannot write most frame rates exactly. */
const MAX_FPS_OFF = 0.01;

/** @throws InvalidOutput for a video that is not what was asked, and paid, for. */
export function assertMatchesRequest(video: MeasuredVideo, input: VideoGenerationInput, fps = video.fps): void {
  const size = formatSize(video);
  if (size !== input.size) throw new InvalidOutput(`a video of ${size} instead of ${input.size}`);
  if (Math.abs(video.fps / fps - 1) > MAX_FPS_OFF) throw new InvalidOutput(`${video.fps} fps instead of ${fps}`);
  const framesOff = Math.abs(video.durationSeconds - input.duration) * fps;
  // What is less than half a frame is how the duration was rounded.
  if (Math.round(framesOff) > MAX_FRAMES_OFF)
    throw new InvalidOutput(`${video.durationSeconds} s instead of ${input.duration} s`);
}
