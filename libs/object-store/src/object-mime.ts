import { extname } from 'node:path';

const MIME_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
};

const MIME_OF_ANYTHING = 'application/octet-stream';

/** A file system keeps no MIME type beside a file; the key's extension is where it stands. */
export function mimeOf(key: string): string {
  return MIME_BY_EXTENSION[extname(key)] ?? MIME_OF_ANYTHING;
}

/** No store but the file system would need it, but then an object could be put that another driver serves as something else. */
export function assertMimeOfKey(key: string, mime: string): void {
  if (mimeOf(key) !== mime) throw new TypeError(`An object of type ${mime} needs a key with its extension.`);
}
