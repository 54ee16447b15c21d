import type { ImageEditInput, ImageGenerationInput, JobInput, VideoGenerationInput } from '@kinora/contracts/jobs/job';
import { type ComputeProvider, seedOfOutput } from '@kinora/compute';
import type { CredentialType } from '@kinora/credentials';
import { prepareOutput } from '@kinora/images';
import { takeVideo } from '@kinora/videos';
import type { JobRow, StoredImageOutput, StoredVideo } from '../job/job.entity';
import { formatSize, parseSize, type Size } from '../model/size';
import { InvalidOutput } from './collection-problem';

export interface MeasuredVideo {
  width: number;
  height: number;
  durationSeconds: number;
  fps: number;
}

/** Models that count in frames make one frame more or less than the requested seconds contain. */
const MAX_FRAMES_OFF = 1;
/** The time base of a container cannot represent most frame rates exactly. */
const MAX_FPS_OFF = 0.01;

/** @throws InvalidOutput for a video that differs from the requested one. */
export function assertMatchesRequest(video: MeasuredVideo, input: VideoGenerationInput, fps = video.fps): void {
  const size = formatSize(video);
  if (size !== input.size) throw new InvalidOutput(`the video has the size ${size} instead of ${input.size}`);
  if (Math.abs(video.fps / fps - 1) > MAX_FPS_OFF)
    throw new InvalidOutput(`the video has ${video.fps} fps instead of ${fps}`);
  const framesOff = Math.abs(video.durationSeconds - input.duration) * fps;
  // A difference below half a frame comes from rounding the duration.
  if (Math.round(framesOff) > MAX_FRAMES_OFF)
    throw new InvalidOutput(`the video lasts ${video.durationSeconds} s instead of ${input.duration} s`);
}

type AsStored = 'object_key' | 'bytes' | 'sha256';

export interface OutputFile {
  bytes: Buffer;
  extension: string;
  facts: (Omit<StoredImageOutput, AsStored> | Omit<StoredVideo, AsStored>) & {
    mime: CredentialType;
  };
}

export interface OutputPlace {
  index: number;
  isSeeded: boolean;
}

/** The number of files that the provider of the job must return. */
export function countOutputs({ input }: JobRow): number {
  return 'duration' in input ? 1 : input.n;
}

/** Five times the raw pixels: an output as received, as prepared and as signed, and both again in the thread that signs. */
const BYTES_A_PIXEL = 20;
/** The answer of a marker, while the output as received is kept for its credentials. */
const MARKED_BYTES_A_PIXEL = 4;
/** The largest video, as received, as prepared and as signed, and in the thread that signs. */
const VIDEO_BYTES = 4 * 64 * 1024 * 1024;

/** The most memory that one output of the job takes while it is prepared, in bytes. */
export function memoryOfOutput({ input }: Pick<JobRow, 'input'>, isMarked: boolean): number {
  if ('duration' in input) return VIDEO_BYTES;
  const { width, height } = sizeOf(input);
  return (BYTES_A_PIXEL + (isMarked ? MARKED_BYTES_A_PIXEL : 0)) * width * height;
}

/** @throws InvalidOutput, ImageProblem, VideoProblem for a file that differs from the request. */
export function toOutputFile(
  made: Buffer,
  { input, plan }: Pick<JobRow, 'input' | 'plan'>,
  place: OutputPlace,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  return 'duration' in input
    ? toVideoFile(made, input, plan.fps, provenance)
    : toImageFile(made, input, place, provenance);
}

async function toImageFile(
  made: Buffer,
  input: ImageGenerationInput | ImageEditInput,
  { index, isSeeded }: OutputPlace,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  const { output_format: format, seed } = input;
  const { bytes, ...facts } = await prepareOutput(made, { format, ...sizeOf(input), provenance });
  return { bytes, extension: format, facts: { ...facts, seed: isSeeded ? seedOfOutput(seed, index) : null } };
}

async function toVideoFile(
  made: Buffer,
  input: VideoGenerationInput,
  requestedFps: number | undefined,
  provenance: ComputeProvider['provenance'],
): Promise<OutputFile> {
  const video = await takeVideo(made, { provenance });
  assertMatchesRequest(video, input, requestedFps);
  const { bytes, mime, width, height, durationSeconds: duration, fps } = video;
  return { bytes, extension: 'mp4', facts: { mime, width, height, duration, fps } };
}

/** @throws InvalidOutput */
export function sizeOf(input: JobInput): Size {
  const size = parseSize(input.size);
  if (!size) throw new InvalidOutput('the job has no size');
  return size;
}
