import { isRecord } from '@kinora/contracts/shared/is-record';

/** A file of a job, as the gateway's answer describes it. */
export interface OutputFile {
  /** The signed link; null once the file is deleted. */
  url: string | null;
  mime: string;
}

/** The files of one job, in the order in which pages number them. */
export interface JobFiles {
  jobId: string;
  files: OutputFile[];
}

/** The address of a file on the console. It opens nothing without the session's cookie. */
export function mediaPath(jobId: string, index: number): string {
  return `/media/${jobId}/${index}`;
}

/**
 * Replaces the signed links of all jobs in an answer by addresses of the console, in place: a link would open its file to any
 * reader of the page, its history or its log.
 * @returns the files that the links led to.
 */
export function takeLinks(value: unknown): JobFiles[] {
  if (Array.isArray(value)) return value.flatMap(takeLinks);
  if (!isRecord(value)) return [];
  if (value.object !== 'job' || typeof value.id !== 'string') return Object.values(value).flatMap(takeLinks);
  const { id } = value;
  const files = outputsOf(value.output).map((output, index) => takeLink(output, id, index));
  return [{ jobId: id, files }];
}

function takeLink(output: Record<string, unknown>, jobId: string, index: number): OutputFile {
  const { url, mime } = output;
  if (typeof url === 'string') output.url = mediaPath(jobId, index);
  return { url: typeof url === 'string' ? url : null, mime: typeof mime === 'string' ? mime : '' };
}

function outputsOf(output: unknown): Record<string, unknown>[] {
  if (!isRecord(output)) return [];
  const { images, video } = output;
  return [...(Array.isArray(images) ? (images as unknown[]) : []), video].filter(isRecord);
}
