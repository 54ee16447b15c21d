import { createH264MP4Encoder } from 'h264-mp4-encoder';
import type { ImageOutput, Job, VideoOutput } from '@kinora/contracts/jobs/job';

export interface TestVideo {
  width: number;
  height: number;
  fps: number;
  frames: number;
  /** The pixels of an image, 4 bytes each: red, green, blue, alpha. */
  frameAt: (index: number) => Uint8Array;
}

/** Encodes an MP4 in H.264 (constrained baseline), which every decoder reads. */
export async function encodeTestVideo({ width, height, fps, frames, frameAt }: TestVideo): Promise<Buffer> {
  const encoder = await createH264MP4Encoder();
  Object.assign(encoder, { width, height, frameRate: fps, quantizationParameter: 20, speed: 10 });
  encoder.initialize();
  for (let i = 0; i < frames; i++) encoder.addFrameRgba(frameAt(i));
  encoder.finalize();
  const bytes = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
  encoder.delete();
  return bytes;
}

/** The images of a job; empty until it has succeeded. */
export function imagesOf({ output }: Job): ImageOutput[] {
  return output && 'images' in output ? output.images : [];
}

export function videoOf({ id, output }: Job): VideoOutput {
  if (!output || !('video' in output)) throw new Error(`Job ${id} has no video.`);
  return output.video;
}
