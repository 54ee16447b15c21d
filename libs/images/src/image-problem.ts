export type ImageProblemReason =
  | 'invalid_data_uri'
  | 'too_many_bytes'
  | 'not_an_image'
  | 'animated'
  | 'too_small'
  | 'too_large_side'
  | 'damaged'
  | 'wrong_size';

/** What is wrong with an image, as text that may be shown to its sender. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem';

  constructor(
    readonly reason: ImageProblemReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What a separate process replies. A problem crosses as its fields, because an error loses its class between processes. */
export type ImageReply<Result> = { result: Result } | { problem: { reason: ImageProblemReason; message: string } };

/** The result of the work, or the ImageProblem that it throws. */
export async function replyOrProblem<Result>(work: () => Promise<Result>): Promise<ImageReply<Result>> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof ImageProblem)) throw error;
    return { problem: { reason: error.reason, message: error.message } };
  }
}

/** @throws ImageProblem */
export function resultOf<Result>(reply: ImageReply<Result>): Result {
  if ('result' in reply) return reply.result;
  throw new ImageProblem(reply.problem.reason, reply.problem.message);
}

/** "data:image/jpeg;base64," has 23 characters; a comma further out is not the end of a header. */
const MAX_HEADER_CHARS = 128;

export function isDataUri(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:';
}

/**
 * Decodes `data:…;base64,…`. The declared type is ignored: the bytes decide (decisions: Input images). Only padded
 * base64 of the standard alphabet is accepted, so that a truncated text does not decode to an image; line breaks and
 * spaces in it are ignored, because many encoders break lines. The cost is linear in the length. A regular expression
 * takes ten times as long, so one runs only over data that has such characters.
 */
export function decodeDataUri(text: string): Buffer {
  const comma = text.slice(0, MAX_HEADER_CHARS).indexOf(',');
  const header = text.slice(0, Math.max(comma, 0)).toLowerCase();
  if (!header.startsWith('data:') || !header.endsWith(';base64')) {
    throw new ImageProblem('invalid_data_uri', 'An image must be an https URL or a base64 data URI.');
  }
  const base64 = text.slice(comma + 1);
  const bytes = Buffer.from(base64, 'base64');
  // Node skips characters that are not base64; encoding the bytes again reveals that the text differed.
  const encoded = bytes.toString('base64');
  if (bytes.length === 0 || (encoded !== base64 && encoded !== base64.replace(/[\t\n\f\r ]+/g, ''))) {
    throw new ImageProblem('invalid_data_uri', 'The data URI does not hold valid base64.');
  }
  return bytes;
}
