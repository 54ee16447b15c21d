import { type ComputeProvider, seedOfOutput } from '@kinora/compute';
import { encodeOutput } from '@kinora/images';
import { takeVideo } from '@kinora/videos';
import type { ImageJobRow, JobRow, StoredPicture, StoredVideo, VideoJobRow } from '../../job/job.row';
import { type Size, parseSize } from '../../model/image-size';
import { assertAsAsked } from './assert-as-asked';
import { InvalidOutput } from './collection-problem';

/** What a provider made, as it is stored. */
export interface OutputFile {
  bytes: Buffer;
  extension: string;
  facts: Omit<StoredPicture, 'object_key' | 'bytes'> | Omit<StoredVideo, 'object_key' | 'bytes'>;
}

/** Which output of its job a file is. */
export interface OutputPlace {
  index: number;
  /** Whether its seed makes it again. */
  isSeeded: boolean;
}

/** How many files the job's provider must have made. */
export function countOutputs(job: JobRow): number {
  return job.kind === 'video.generation' ? 1 : job.input.n;
}

/** @throws InvalidOutput, ImageProblem, VideoProblem for what is not what was asked for. */
export function toOutputFile(
  made: Buffer,
  job: JobRow,
  { index, isSeeded }: OutputPlace,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  return job.kind === 'video.generation'
    ? toVideoFile(made, job, provenance)
    : toPictureFile(made, job, { index, isSeeded }, provenance);
}

async function toPictureFile(
  made: Buffer,
  job: ImageJobRow,
  { index, isSeeded }: OutputPlace,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  const { output_format: format, seed } = job.input;
  const { bytes, ...facts } = await encodeOutput(made, { format, ...sizeOf(job), provenance });
  return { bytes, extension: format, facts: { ...facts, seed: isSeeded ? seedOfOutput(seed, index) : null } };
}

async function toVideoFile(
  made: Buffer,
  job: VideoJobRow,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  const video = await takeVideo(made, { provenance });
  assertAsAsked(video, job);
  const { bytes, mime, width, height, durationSeconds: duration, fps } = video;
  return { bytes, extension: 'mp4', facts: { mime, width, height, duration, fps } };
}

function sizeOf({ input }: JobRow): Size {
  const size = parseSize(input.size);
  if (!size) throw new InvalidOutput('the job has no size');
  return size;
}
