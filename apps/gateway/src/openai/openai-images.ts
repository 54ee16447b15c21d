import type { OutputFormat } from '@kinora/contracts/jobs/job-choices';
import type { Integer, Url } from '@kinora/contracts/shared/scalars';

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
