import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Job } from '@kinora/contracts/jobs/job';
import type { OutputFormat } from '@kinora/contracts/jobs/job-choices';
import type { OutputFile } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Integer, Url } from '@kinora/contracts/shared/scalars';
import { ObjectNotFound, type ObjectStore, type OpenedObject } from '@kinora/object-store';
import { onRequestEnd } from '../http/request-end';

export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

/** The base64 of a stream, chunk by chunk. Only the whole stream may end in padding, so up to two bytes wait for the next chunk. */
export async function* toBase64(stream: Readable): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const wholeBytes = bytes.length - (bytes.length % 3);
    if (wholeBytes > 0) yield bytes.toString('base64', 0, wholeBytes);
    rest = Buffer.from(bytes.subarray(wholeBytes));
  }
  if (rest.length > 0) yield rest.toString('base64');
}

/** The images of a job. */
export interface OpenAiImages {
  /** Unix seconds of the end of the job. */
  created: Integer;
  /** The true size, also where the request had another one. */
  size: string;
  /** The file type of the images. */
  output_format?: OutputFormat;
  data: OpenAiImage[];
}

/** An image, in one of two forms. */
export interface OpenAiImage {
  /** The file in base64. */
  b64_json?: string;
  /** Signed: any client with this URL can download the file. Null once it is deleted. */
  url?: Url | null;
}

/** A part of an answer: text, or the place of a file in base64. */
export type AnswerPart = string | OutputFile;

/** An answer in parts, so that no image is in memory as a whole. */
export interface ImagesAnswer {
  contentType: string;
  parts: AnswerPart[];
}

/** Headers of every answer about a job. */
export function jobHeaders({ id, usage }: Job): Record<string, string> {
  return { 'X-Kinora-Job-Id': id, 'X-Kinora-Charged-Usd': String(usage.charged_usd) };
}

/** Whether the job still shows its images. The store may have the files a while longer: until a sweep has deleted them. */
export function showsImages(job: Job): boolean {
  return imagesOf(job).every(({ url }) => url !== null);
}

/** An images response with the URLs of the files. */
export function toUrlsAnswer(job: Job): ImagesAnswer {
  const data = imagesOf(job).map(({ url }) => ({ url }));
  return { contentType: JSON_TYPE, parts: [JSON.stringify({ ...headOf(job), data })] };
}

/** An images response with the files in base64. */
export function toBase64Answer(job: Job, files: readonly OutputFile[]): ImagesAnswer {
  const items = files.flatMap((file, place): AnswerPart[] => [`${place > 0 ? ',' : ''}{"b64_json":"`, file, '"}']);
  return { contentType: JSON_TYPE, parts: [`${JSON.stringify(headOf(job)).slice(0, -1)},"data":[`, ...items, ']}'] };
}

/** The event of a finished image, one for each image, as a stream of OpenAI ends. */
export function toEventsAnswer(job: Job, files: readonly OutputFile[]): ImagesAnswer {
  const { created, ...rest } = headOf(job);
  const type = job.kind === 'image.edit' ? 'image_edit.completed' : 'image_generation.completed';
  const head = JSON.stringify({ type, created_at: created, ...rest }).slice(0, -1);
  const events = files.flatMap((file): AnswerPart[] => [`event: ${type}\ndata: ${head},"b64_json":"`, file, '"}\n\n']);
  return { contentType: 'text/event-stream; charset=utf-8', parts: events };
}

/** The length is known before any file is read, so a client notices an answer that is cut off. */
function answerBytes({ parts }: ImagesAnswer): number {
  return parts.reduce(
    (bytes, part) => bytes + (typeof part === 'string' ? Buffer.byteLength(part) : base64Length(part.bytes)),
    0,
  );
}

const JSON_TYPE = 'application/json; charset=utf-8';

function imagesOf({ output }: Job): { url: string | null }[] {
  return output && 'images' in output ? output.images : [];
}

/** The true size, also where the client asked for another one. */
function headOf({ completed_at, created_at, input }: Job): Omit<OpenAiImages, 'data'> {
  const created = Math.floor(Date.parse(completed_at ?? created_at) / 1_000);
  return { created, size: input.size, ...('output_format' in input && { output_format: input.output_format }) };
}

/**
 * Sends an answer part by part, each file from the store as base64, no faster than the client reads. The first file is opened before
 * the head is sent, so a store that is away is an error of its own.
 */
export async function sendAnswer(reply: FastifyReply, answer: ImagesAnswer, objects: ObjectStore): Promise<void> {
  const first = answer.parts.find((part) => typeof part !== 'string');
  const opened = first && (await objects.open(first.object_key).catch(asDeleted));
  onRequestEnd(reply.request, () => opened?.stream.destroy());
  reply.headers({
    'Content-Type': answer.contentType,
    'Content-Length': answerBytes(answer),
    'Cache-Control': 'no-store',
    // An answer in nginx's buffer counts as sent, although its client may be gone and repeat the request.
    'X-Accel-Buffering': 'no',
  });
  reply.send(Readable.from(textOf(answer.parts, objects, opened), { objectMode: false }));
}

export function imagesAreGone(): ApiError {
  return new ApiError('not_found', 'The images of this job are deleted.');
}

async function* textOf(
  parts: readonly AnswerPart[],
  objects: ObjectStore,
  opened: OpenedObject | undefined,
): AsyncGenerator<string> {
  let first = opened;
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else {
      const { stream } = first ?? (await objects.open(part.object_key));
      first = undefined;
      yield* toBase64(stream);
    }
  }
}

function asDeleted(error: unknown): never {
  if (!(error instanceof ObjectNotFound)) throw error;
  throw imagesAreGone();
}
