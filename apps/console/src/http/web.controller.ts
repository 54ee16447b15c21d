import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Controller, Get, Head, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../console.config';
import { notFound } from './console-error';

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
  identity: Buffer;
  /** Compressed at the first request: at the start, all files would take a third of it. */
  compressed: Partial<Record<'br' | 'gzip', () => Promise<Buffer>>>;
}

/** The built pages, read once and compressed once. They are small, and no path of a request ever reaches the file system. */
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
  if (!COMPRESSIBLE.has(extension)) return { type, etag, identity, compressed: {} };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const br = onceOnly(() => promisify(brotliCompress)(identity, { params }));
  return { type, etag, identity, compressed: { br, gzip: onceOnly(() => promisify(gzip)(identity)) } };
}

function onceOnly(compress: () => Promise<Buffer>): () => Promise<Buffer> {
  let result: Promise<Buffer> | undefined;
  return () => (result ??= compress());
}

const IMMUTABLE = 'public, max-age=31536000, immutable';
const API = /^\/(admin|media)(\/|$)/;
const OPERATOR = /^\/operator(\/|$)/;

/** Serves the built pages: a customer's page on every path that belongs to no API, the operator's below `/operator`. */
@Controller()
export class WebController {
  constructor(
    private readonly config: ConsoleConfig,
    @Inject(WebFiles) private readonly files: WebFiles,
  ) {}

  @Get(['/', '*'])
  async serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [path = '/'] = request.url.split('?', 1);
    if (API.test(path)) throw notFound();
    const asset = path.endsWith('.html') ? undefined : this.files.find(path);
    if (asset) return await send(request, reply, asset, path.startsWith(ASSETS) ? IMMUTABLE : 'no-cache');
    // A page instead of a missing script would make a browser report a syntax error.
    if (path.startsWith(ASSETS)) throw notFound();
    const page = this.files.find(this.pageOf(path));
    if (!page) throw notFound();
    await send(request, reply, page, 'no-cache');
  }

  /** Monitors ask for the headers alone. */
  @Head(['/', '*'])
  async describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.serve(request, reply);
  }

  private pageOf(path: string): string {
    const isOperators = OPERATOR.test(path);
    if (isOperators ? !this.config.servesOperators : !this.config.servesCustomers) throw notFound();
    return isOperators ? '/operator.html' : '/index.html';
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, file: WebFile, cacheControl: string): Promise<void> {
  void reply.headers({ 'Cache-Control': cacheControl, ETag: file.etag, Vary: 'Accept-Encoding' });
  if (request.headers['if-none-match'] === file.etag) return void reply.status(304).send();
  const encoding = (['br', 'gzip'] as const).find((each) => accepts(request, each) && file.compressed[each]);
  if (encoding !== undefined) void reply.header('Content-Encoding', encoding);
  const body = encoding === undefined ? file.identity : await file.compressed[encoding]?.();
  void reply.header('Content-Type', file.type).send(body);
}

function accepts({ headers }: FastifyRequest, encoding: string): boolean {
  const accepted = headers['accept-encoding'] ?? '';
  return accepted.split(',').some((entry) => entry.split(';', 1)[0]?.trim() === encoding);
}
