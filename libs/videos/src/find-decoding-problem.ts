import { type FrameSampling, sampleFrames } from './sample-frames';
import { TRIAL_VIDEO } from './trial-video';

/** Null if a small video in the High profile of H.264 can be decoded, otherwise the reason. */
export async function findDecodingProblem(sampling: FrameSampling): Promise<string | null> {
  try {
    let frames = 0;
    for await (const { width } of sampleFrames(TRIAL_VIDEO, sampling)) frames += width > 0 ? 1 : 0;
    return frames > 0 ? null : 'The decoder of videos returned no picture.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
