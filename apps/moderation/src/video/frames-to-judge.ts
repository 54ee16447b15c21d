import { type FrameSampling, sampleFrames } from '@kinora/videos';
import type { LoadedImage } from '../judging/engine';
import { sha256Of } from '../judging/sha256';

/** The frames by which a video is judged, as images. */
export async function* framesToJudge(video: Buffer, sampling: FrameSampling): AsyncGenerator<LoadedImage> {
  for await (const { width, height, rgb } of sampleFrames(video, sampling)) {
    yield { param: null, bytes: rgb, pixels: { width, height }, sha256: sha256Of(rgb) };
  }
}
