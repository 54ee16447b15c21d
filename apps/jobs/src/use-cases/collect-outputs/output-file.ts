import { encodeOutput } from '@kinora/images';
import type { ImageJobRow, JobRow, StoredPicture, StoredVideo, VideoJobRow } from '../../job/job.row';
import { type Size, parseSize } from '../../model/image-size';
import type { ComputeProvider } from '../../providers/compute-provider.port';
import { InvalidOutput } from './collection-problem';

/** Interface: seeds run from 0 to 2147483647; output i has seed (seed + i) mod 2147483648. */
const SEEDS = 2_147_483_648;

/** What a provider made, as it is stored. */
export interface OutputFile {
  bytes: Buffer;
  extension: string;
  facts: Omit<StoredPicture, 'object_key' | 'bytes'> | Omit<StoredVideo, 'object_key' | 'bytes'>;
}

/** How many files the job's provider must have made. */
export function countOutputs(job: JobRow): number {
  return job.kind === 'video.generation' ? 1 : job.input.n;
}

/** @throws InvalidOutput, ImageProblem for what is not what was asked for. */
export async function toOutputFile(
  made: Buffer,
  job: JobRow,
  index: number,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  return job.kind === 'video.generation' ? toVideoFile(made, job) : await toPictureFile(made, job, index, provenance);
}

async function toPictureFile(
  made: Buffer,
  job: ImageJobRow,
  index: number,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  const { output_format: format, seed } = job.input;
  const { bytes, ...facts } = await encodeOutput(made, { format, ...sizeOf(job), provenance });
  return { bytes, extension: format, facts: { ...facts, seed: (seed + index) % SEEDS } };
}

function toVideoFile(_made: Buffer, job: VideoJobRow): OutputFile {
  throw new InvalidOutput(`job ${job.id} is of a kind that is not collected yet`);
}

function sizeOf({ input }: JobRow): Size {
  const size = parseSize(input.size);
  if (!size) throw new InvalidOutput('the job has no size');
  return size;
}
