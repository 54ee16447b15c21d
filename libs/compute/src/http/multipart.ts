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
 * A multipart/form-data body. The platform's FormData is not usable: it replaces every line break of a value by CRLF, and a
 * prompt must arrive unchanged.
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

/** Names and file names come from this code: words without quotes. */
function partHead({ name, filename, contentType }: FormPart, boundary: string): string {
  return [
    `--${boundary}`,
    `content-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    ...(contentType === undefined ? [] : [`content-type: ${contentType}`]),
    '',
    '',
  ].join('\r\n');
}
