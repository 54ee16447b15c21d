import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ConsoleConfig } from '../console.config';

/**
 * Cuts a request when the signal is aborted, until its response is complete. Node's own option `signal` acts later, too, when
 * the connection may already carry another request.
 */
export function cutOnAbort(outgoing: ClientRequest, signal: AbortSignal): void {
  const cut = (): void => void outgoing.destroy();
  if (signal.aborted) return cut();
  signal.addEventListener('abort', cut);
  const ended = (): void => signal.removeEventListener('abort', cut);
  outgoing.once('error', ended).once('response', (response) => response.once('end', ended).once('close', ended));
}

/** The whole body. @throws Error for a body that is larger */
export async function readAll(
  body: IncomingMessage,
  maxBytes: number,
  tooLarge = () => new Error('The body is too large.'),
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const SILENT_MS = 30_000;

/** Reads files by the links of the gateway's answers. No client names an address here. */
@Injectable()
export class FileClient {
  private readonly origins: Map<string, string>;

  constructor({ fileOrigins }: ConsoleConfig) {
    this.origins = parseFileOrigins(fileOrigins);
  }

  /** Resolves with the head of the answer. Redirects are not followed. @throws ApiError capacity if the store is away */
  async open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    const url = new URL(link);
    const target = new URL(this.origins.get(url.origin) ?? url.origin);
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send({
      protocol: target.protocol,
      hostname: target.hostname,
      port: target.port,
      path: url.pathname + url.search,
      // A presigned link is signed for the host that it names.
      headers: { ...headers, Host: url.host, 'Accept-Encoding': 'identity' },
    });
    cutOnAbort(outgoing, signal);
    outgoing.on('error', () => undefined);
    outgoing.setTimeout(SILENT_MS, () => outgoing.destroy(new Error('the store was silent')));
    try {
      const head = await new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve).once('error', reject).end();
      });
      // An error after the end has no reader, and would end the process.
      head.on('error', () => undefined);
      return head;
    } catch {
      throw ApiError.unavailable('Storage');
    }
  }
}

/** Parses `http://127.0.0.1:9000=http://objects:9000`. */
function parseFileOrigins(text: string): Map<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return new Map(
    pairs.map((pair) => {
      const [from = '', to = ''] = pair.split('=').map((each) => new URL(each.trim()).origin);
      return [from, to];
    }),
  );
}
