import { moderationTestImage } from '../drawing/moderation-test-image';
import { type DrawingStep, InvalidInputError, type VideoOrder } from '../drawing/draw-order';
import { provenanceXmp } from '../drawing/provenance-xmp';
import { cameraAt, momentOf, MOTIONLESS, motionOf } from './motion';
import { withXmp } from './write-mp4';
import { overlaysOf } from './overlays';
import { openStartFrame, prepareStartFrame, type StartFrame } from './start-frame';
import { warpInto } from './warp';
import { createEncoder } from './create-encoder';
import { createYuvFrame } from './yuv-frame';

/**
 * Animates the start frame and returns the bytes of an MP4 file: the same order gives the same bytes.
 * `assertWanted` is called before each frame and may throw to stop the rendering.
 */
export async function renderVideo(order: VideoOrder, assertWanted: DrawingStep): Promise<Uint8Array> {
  const { width, height, frames, fps } = order;
  const start = await startFrameOf(order);
  const motion = order.blocked ? MOTIONLESS : motionOf(order);
  const overlays = overlaysOf(motion);
  // One buffer for all frames: only the file grows with the length of the video.
  const frame = createYuvFrame(width, height);
  const encoder = await createEncoder(width, height, fps);
  try {
    for (let i = 0; i < frames; i++) {
      assertWanted(i / frames);
      const moment = momentOf(i, frames, fps);
      warpInto(frame, start, cameraAt(motion, moment));
      for (const overlay of overlays) overlay(frame, moment.seconds);
      encoder.add(frame.data);
    }
    return withXmp(await encoder.finish(), provenanceXmp(order.operation));
  } finally {
    encoder.close();
  }
}

async function startFrameOf({ images, width, height, blocked }: VideoOrder): Promise<StartFrame> {
  if (blocked) return prepareStartFrame(await moderationTestImage(width, height), width, height);
  const [file] = images;
  if (!file) throw new InvalidInputError('A video needs a start frame.');
  return openStartFrame(file, width, height);
}
