import type { ImageOutput, Job, VideoOutput } from '@kinora/contracts/jobs/job';

/** The images of a job; empty until it has succeeded. */
export function imagesOf({ output }: Job): ImageOutput[] {
  return output && 'images' in output ? output.images : [];
}

/** The video of a job. */
export function videoOf({ id, output }: Job): VideoOutput {
  if (!output || !('video' in output)) throw new Error(`Job ${id} has no video.`);
  return output.video;
}
