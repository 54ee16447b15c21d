import type { JobInput } from '@kinora/contracts/jobs/job';

/** What determines how long a job runs, besides its model and instance. */
export interface JobSize {
  /** Width, the letter x, height. */
  size: string;
  /** The number of images, or the seconds of the video. */
  count: number;
}

/** Jobs of one class have about the same number of pixels: the power of two nearest to it. */
export function sizeClassOf({ size, count }: JobSize): number {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return Math.round(Math.log2(Math.max(width * height * count, 1)));
}

/** What an input asks for, as far as it determines how long a job runs. */
export function jobSizeOf(input: JobInput): JobSize {
  return { size: input.size, count: 'duration' in input ? input.duration : 'n' in input ? input.n : 1 };
}
