import { randomUUID } from 'node:crypto';

export interface FormPart {
  name: string;
  value: string | Buffer;
  /** Makes the part a file. */
  filename?: string;
  contentType?: string;
}

export interface FormBody {
  contentType: string;
  body: Buffer;
}

/**
 * A multipart/form-data body. Not the platform's FormData, which turns every line break of a value into CRLF: a prompt
 * must arrive byte-equal.
 */
export function toFormBody(parts: FormPart[]): FormBody {
  const boundary = `kinora-${randomUUID()}`;
  const body = Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(partHead(part, boundary)), Buffer.from(part.value), CRLF]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

const CRLF = Buffer.from('\r\n');

/** Names and file names are our own: plain words without quotes. */
function partHead({ name, filename, contentType }: FormPart, boundary: string): string {
  return [
    `--${boundary}`,
    `content-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    ...(contentType === undefined ? [] : [`content-type: ${contentType}`]),
    '',
    '',
  ].join('\r\n');
}
