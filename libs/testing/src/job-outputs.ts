import type { ImageOutput, Job, VideoOutput } from '@kinora/contracts/jobs/job';

/** The images that a job made; none before it succeeded. */
export function imagesOf({ output }: Job): ImageOutput[] {
  return output && 'images' in output ? output.images : [];
}

/** The video that a job made. */
export function videoOf({ id, output }: Job): VideoOutput {
  if (!output || !('video' in output)) throw new Error(`Job ${id} has made no video.`);
  return output.video;
}
