import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, HttpStatus, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RoutePolicy } from '../http/route-policy';

export interface ReferenceFile {
  bytes: Buffer;
  headers: Readonly<Record<string, string>>;
}

const OURS = join(__dirname, '../../assets');
/** The page loads files of this origin only, and contains no inline script or style. */
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

/** The source of each file. The page requests those below /docs. */
const SOURCES = {
  'openapi.json': join(__dirname, '../../openapi.json'),
  'openai/openapi.json': join(__dirname, '../../openapi.openai.json'),
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

/** Reads each file once: they cannot change while the process runs. */
function readReferenceFiles(): ReadonlyMap<string, ReferenceFile> {
  return new Map(Object.entries(SOURCES).map(([path, source]) => [path, readReferenceFile(source)]));
}

/** Whether one of the client's If-None-Match tags is current. A compressing proxy marks tags as weak (W/). */
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
      // Clients cache the file but revalidate its ETag before each use, so an upgrade takes effect at once.
      'Cache-Control': 'no-cache',
      ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    },
  };
}

/** The page reads it: it names the document that the page shows. */
const QUERY = ['document'];

/** Serves the API references, for programs (/openapi.json, /openai/openapi.json) and for people (/docs). */
@Controller()
export class ReferenceController {
  private readonly files = readReferenceFiles();

  @Get(REFERENCE_PATHS)
  @RoutePolicy({ access: 'public', query: QUERY })
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const path = request.routeOptions.url?.slice(1) ?? '';
    const file = this.files.get(path);
    if (!file) throw new Error(`${path} is routed to ReferenceController, but is not a file of the reference.`);
    reply.headers(file.headers);
    if (isCurrent(file, request.headers['if-none-match'])) return void reply.status(HttpStatus.NOT_MODIFIED).send();
    reply.send(file.bytes);
  }
}
