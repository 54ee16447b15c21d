import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.webmanifest']);

/** File names of Vite hold a hash of the content. */
export const ASSETS = '/assets/';
/** Never the path of a file, nor of a page. */
export const NO_FILE = ASSETS;

export interface WebFile {
  type: string;
  etag: string;
  /** The bytes by content encoding; `identity` is always there. */
  encodings: { identity: Buffer; br?: Buffer; gzip?: Buffer };
}

/** The built pages, read and compressed once. They are small, and no path of a request ever reaches the file system. */
export class WebFiles {
  private constructor(private readonly files: Map<string, WebFile>) {}

  static async load(folder: string): Promise<WebFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries
      .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
      .map((entry) => join(entry.parentPath, entry.name));
    const files = paths.map(async (path) => [toUrlPath(path.slice(folder.length)), await loadFile(path)] as const);
    return new WebFiles(new Map(await Promise.all(files)));
  }

  /** @param path such as `/index.html` */
  find(path: string): WebFile | undefined {
    return this.files.get(path);
  }
}

function toUrlPath(path: string): string {
  return path.replaceAll('\\', '/');
}

async function loadFile(path: string): Promise<WebFile> {
  const identity = await readFile(path);
  const extension = extname(path);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  const type = TYPES[extension] as string;
  if (!COMPRESSIBLE.has(extension)) return { type, etag, encodings: { identity } };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(identity),
  ]);
  return { type, etag, encodings: { identity, br, gzip: zipped } };
}
