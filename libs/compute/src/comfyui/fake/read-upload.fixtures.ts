export interface Upload {
  filename: string;
  bytes: Buffer;
  subfolder: string;
  isOverwriting: boolean;
}

/** Parses a multipart form like the server; null without a part named `image`. */
export function readUpload(body: Buffer, contentType: string): Upload | null {
  const [, boundary] = /boundary=(.+)$/.exec(contentType) ?? [];
  if (boundary === undefined) return null;
  // Latin-1 has one character for each byte, so positions in the text are positions in the bytes.
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1).map(readPart);
  const valueOf = (wanted: string): string => parts.find(({ name }) => name === wanted)?.value.toString('utf8') ?? '';
  const image = parts.find(({ name }) => name === 'image');
  if (!image?.filename) return null;
  const isOverwriting = ['true', '1'].includes(valueOf('overwrite'));
  return { filename: image.filename, bytes: image.value, subfolder: valueOf('subfolder'), isOverwriting };
}

function readPart(part: string): { name: string | undefined; filename: string | undefined; value: Buffer } {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end);
  return {
    name: /[; ]name="([^"]*)"/.exec(head)?.[1],
    filename: /filename="([^"]*)"/.exec(head)?.[1],
    value: Buffer.from(part.slice(end + 4, -2), 'latin1'),
  };
}
