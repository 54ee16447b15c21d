import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { openImage } from '@kinora/images';
import type { ImageOutput, Job, JobProgress, Kinora, VideoOutput } from '@kinora/client';
import { Semaphore } from '@kinora/service-kit/without-nest';
import { toAnswer } from './tool-answer';

const LARGEST_SIDE = 256;
/** The largest output of this service is about 67 MB, an RGBA image of 4096² that compression did not make smaller. */
const LARGEST_SOURCE_BYTES = 80 * 1024 * 1024;
/** Bytes of outputs that one process holds at once, for all clients. */
const memory = new Semaphore(2 * LARGEST_SOURCE_BYTES);

/** A small JPEG of an output in base64, so that an agent sees the image without megabytes in its context; null if it cannot be made. */
async function toThumbnail(kinora: Kinora, image: ImageOutput): Promise<string | null> {
  if (image.url === null || image.bytes > LARGEST_SOURCE_BYTES) return null;
  // The link is in the answer, so that a thumbnail that cannot be made is no failure of the call.
  return await memory.run(() => shrink(kinora, image), { permits: image.bytes }).catch(() => null);
}

async function shrink(kinora: Kinora, image: ImageOutput): Promise<string> {
  const { buffer, byteOffset, length } = await kinora.download(image);
  const small = openImage(Buffer.from(buffer, byteOffset, length)).resize(LARGEST_SIDE, LARGEST_SIDE, {
    fit: 'inside',
  });
  return (await small.flatten({ background: '#ffffff' }).jpeg({ quality: 75 }).toBuffer()).toString('base64');
}

type Content = CallToolResult['content'][number];

/** A job with links to its outputs and thumbnails of its images. Links are resources, since bytes would fill an agent's context. */
export async function toJobAnswer(
  kinora: Kinora,
  job: Job,
  progress: JobProgress | null = null,
): Promise<CallToolResult> {
  const outputs = outputsOf(job);
  const links = outputs.flatMap((output, index) => linkOf(job, output, index));
  const images = job.output && 'images' in job.output ? job.output.images : [];
  return toAnswer(summaryOf(job, isUnderWay(job) ? progress : null), [
    ...links,
    ...(await thumbnailsOf(kinora, images)),
  ]);
}

function summaryOf(job: Job, progress: JobProgress | null): Record<string, unknown> {
  return {
    job_id: job.id,
    status: job.status,
    model: job.model,
    [isUnderWay(job) ? 'reserved_usd' : 'charged_usd']: job.usage.charged_usd,
    ...(progress && {
      progress: progress.progress,
      queue_position: progress.queue_position,
      eta_seconds: progress.eta_seconds,
    }),
    ...(job.error && { error: job.error }),
    ...(outputsOf(job).length > 0 && { outputs: outputsOf(job).map(toOutputSummary), expires_at: job.expires_at }),
    next: nextStep(job),
  };
}

function isUnderWay({ status }: Job): boolean {
  return status === 'queued' || status === 'processing';
}

function nextStep({ id, status, error }: Job): string {
  if (status === 'succeeded') return 'Give the user the linked files; the links expire.';
  if (status === 'canceled') return 'The job was canceled and costs nothing.';
  if (status === 'failed')
    return `The job failed and costs nothing${error?.code.startsWith('content_blocked') ? '; change the prompt or the image' : '; creating it again may help'}.`;
  return `Call wait_for_job with job_id "${id}".`;
}

function outputsOf({ output }: Job): (ImageOutput | VideoOutput)[] {
  if (!output) return [];
  return 'images' in output ? output.images : [output.video];
}

function toOutputSummary(output: ImageOutput | VideoOutput): Record<string, unknown> {
  const { mime, width, height, bytes } = output;
  return { mime, width, height, bytes, ...('seed' in output ? { seed: output.seed } : { duration: output.duration }) };
}

function linkOf(job: Job, { url, mime, bytes }: ImageOutput | VideoOutput, index: number): Content[] {
  if (url === null) return [];
  const name = `${job.id}-${index}.${mime.split('/')[1] ?? 'bin'}`;
  return [{ type: 'resource_link', uri: url, name, mimeType: mime, size: bytes }];
}

async function thumbnailsOf(kinora: Kinora, images: ImageOutput[]): Promise<Content[]> {
  const thumbnails: Content[] = [];
  for (const image of images) {
    const data = await toThumbnail(kinora, image);
    if (data !== null) thumbnails.push({ type: 'image', data, mimeType: 'image/jpeg' });
  }
  return thumbnails;
}
