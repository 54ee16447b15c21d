import type { Job } from '@kinora/contracts/jobs/job';
import type { OutputFile } from '@kinora/contracts/jobs/jobs.rpc';
import { base64Length } from './base64-stream';
import type { OpenAiImages } from './openai-images';

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
export function answerBytes({ parts }: ImagesAnswer): number {
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
