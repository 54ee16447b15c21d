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
