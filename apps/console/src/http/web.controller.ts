import { Controller, Get, Head, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleConfig } from '../console.config';
import { notFound } from './console-error';
import { ASSETS, type WebFile, WebFiles } from './web-files';

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
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const [path = '/'] = request.url.split('?', 1);
    if (API.test(path)) throw notFound();
    const asset = path.endsWith('.html') ? undefined : this.files.find(path);
    if (asset) return send(request, reply, asset, path.startsWith(ASSETS) ? IMMUTABLE : 'no-cache');
    // A page instead of a missing script would make a browser report a syntax error.
    if (path.startsWith(ASSETS)) throw notFound();
    const page = this.files.find(this.pageOf(path));
    if (!page) throw notFound();
    send(request, reply, page, 'no-cache');
  }

  /** Monitors ask for the headers alone. */
  @Head(['/', '*'])
  describe(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.serve(request, reply);
  }

  private pageOf(path: string): string {
    const isOperators = OPERATOR.test(path);
    if (isOperators ? !this.config.servesOperators : !this.config.servesCustomers) throw notFound();
    return isOperators ? '/operator.html' : '/index.html';
  }
}

function send(request: FastifyRequest, reply: FastifyReply, file: WebFile, cacheControl: string): void {
  void reply.headers({ 'Cache-Control': cacheControl, ETag: file.etag, Vary: 'Accept-Encoding' });
  if (request.headers['if-none-match'] === file.etag) return void reply.status(304).send();
  const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '', file);
  if (encoding !== 'identity') void reply.header('Content-Encoding', encoding);
  void reply.header('Content-Type', file.type).send(file.encodings[encoding]);
}

function chooseEncoding(accepted: string, { encodings }: WebFile): 'br' | 'gzip' | 'identity' {
  const names = new Set(accepted.split(',').map((entry) => entry.split(';', 1)[0]?.trim()));
  if (names.has('br') && encodings.br) return 'br';
  return names.has('gzip') && encodings.gzip ? 'gzip' : 'identity';
}
