import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@kinora/service-kit';
import { Pool } from 'undici';
import { EngineFault } from './protocol';

/** Real answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Statuses that refer to the content of the request; every other status would follow any request. */
const STATUSES_OF_CONTENT: readonly number[] = [400, 413, 415, 422];

export interface ConnectionSettings {
  /** May have a path and a query, which are part of every request. */
  url: string;
  /** May hold secrets. They are sent to the origin of the URL only, since redirects are not followed. */
  headers: Record<string, string>;
  timeoutMs: number;
  connections: number;
  clock: Clock;
}

/**
 * Sends JSON to an engine and reads its JSON, within bounds. Everything except a complete JSON answer with status 200 is a
 * fault.
 */
export class EngineConnection {
  private readonly base: URL;
  private readonly pool: Pool;

  constructor(private readonly settings: ConnectionSettings) {
    this.base = new URL(settings.url);
    this.pool = new Pool(this.base.origin, { connections: settings.connections, pipelining: 1 });
  }

  /** @throws EngineFault */
  async post(path: string, body: unknown): Promise<unknown> {
    const text = await this.exchange(path, JSON.stringify(body)).catch((error: unknown) => {
      throw error instanceof EngineFault ? error : new EngineFault(reasonOf(error));
    });
    return parse(text);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async exchange(path: string, json: string): Promise<string> {
    const answer = await this.pool.request({
      method: 'POST',
      path: (this.base.pathname.replace(/\/$/, '') + path || '/') + this.base.search,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...this.settings.headers },
      body: json,
      // The only deadline, until the last byte: a timeout that restarts with each byte would never end a slow answer.
      signal: this.settings.clock.deadline(this.settings.timeoutMs),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (answer.statusCode !== 200) {
      answer.body.on('error', () => undefined).destroy();
      const about = STATUSES_OF_CONTENT.includes(answer.statusCode) ? 'content' : 'engine';
      throw new EngineFault(`it answered with status ${answer.statusCode}`, about, retryAfterMs(answer.headers));
    }
    return readBounded(answer.body);
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new EngineFault('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new EngineFault('its answer is no JSON');
  }
}

function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

/** Only error names and codes of Node and undici, because their messages may hold addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'connection trouble';
  if (error.name === 'TimeoutError') return 'no whole answer in time';
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
