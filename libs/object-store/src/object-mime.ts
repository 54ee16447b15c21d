import { extname } from 'node:path';

const MIME_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
};

const MIME_OF_ANYTHING = 'application/octet-stream';

/** A file system stores no MIME type with a file, so the key's extension defines it. */
export function mimeOf(key: string): string {
  return MIME_BY_EXTENSION[extname(key)] ?? MIME_OF_ANYTHING;
}

/**
 * Only the file system needs this, but every store checks it; otherwise another driver could serve an object under a
 * different type.
 */
export function assertMimeOfKey(key: string, mime: string): void {
  if (mimeOf(key) !== mime) throw new TypeError(`An object of type ${mime} needs a key with its extension.`);
}
