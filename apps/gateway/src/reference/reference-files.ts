import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file as it is served. */
export interface ReferenceFile {
  bytes: Buffer;
  headers: Readonly<Record<string, string>>;
}

const OURS = join(__dirname, '../../assets');
/** Everything that the page needs comes from here, and nothing that it runs or shows stands in the page itself. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Where each file lies: what stands below /docs is what the page asks for. */
const SOURCES = {
  'openapi.json': join(__dirname, '../../openapi.json'),
  docs: join(OURS, 'docs.html'),
  'docs/docs.css': join(OURS, 'docs.css'),
  'docs/docs.js': join(OURS, 'docs.js'),
  'docs/swagger-ui.css': require.resolve('swagger-ui-dist/swagger-ui.css'),
  'docs/swagger-ui-bundle.js': require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
} as const;

const MIME_BY_EXTENSION: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

export const REFERENCE_PATHS = Object.keys(SOURCES);

/** The files by their paths, read once: they cannot change while the process runs. */
export function readReferenceFiles(): ReadonlyMap<string, ReferenceFile> {
  return new Map(Object.entries(SOURCES).map(([path, source]) => [path, readReferenceFile(source)]));
}

/** Whether a client that names these tags in If-None-Match has the file already. A proxy that compresses weakens a tag. */
export function isCurrent({ headers }: ReferenceFile, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || tag === headers['ETag']);
}

function readReferenceFile(source: string): ReferenceFile {
  const bytes = readFileSync(source);
  const extension = source.slice(source.lastIndexOf('.') + 1);
  return {
    bytes,
    headers: {
      'Content-Type': MIME_BY_EXTENSION[extension] ?? 'application/octet-stream',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      // Kept, but compared by its tag before each use: an upgrade shows at once.
      'Cache-Control': 'no-cache',
      ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    },
  };
}
