import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { connect, type NatsConnection } from 'nats';
import { Pool } from 'undici';
import { forkProgram } from '../fork-program';

const BODY = JSON.stringify({ prompt: 'x'.repeat(640) });
const HEADERS = { 'content-type': 'application/json' };

/** The rate of a bare Fastify for a JSON POST: no design over HTTP can be faster. */
export class HttpFloor {
  private constructor(
    private readonly server: ChildProcess,
    private readonly pool: Pool,
  ) {}

  static async start(connections: number): Promise<HttpFloor> {
    const { program, received } = await forkProgram<{ port: number }>(path.join(__dirname, 'http-floor.server.js'));
    return new HttpFloor(program, new Pool(`http://127.0.0.1:${received.port}`, { connections, pipelining: 1 }));
  }

  async post(): Promise<void> {
    const response = await this.pool.request({ method: 'POST', path: '/', headers: HEADERS, body: BODY });
    await response.body.text();
  }

  async close(): Promise<void> {
    await this.pool.close();
    this.server.disconnect();
  }
}

const SUBJECT = 'bench.floor';
const PAYLOAD = new TextEncoder().encode(JSON.stringify({ account_id: 'a', prompt: 'x'.repeat(540) }));

/** The rate of a bare request-reply over the same broker, with a responder that does nothing. */
export class RequestReplyFloor {
  private constructor(
    private readonly requesting: NatsConnection,
    private readonly answering: NatsConnection,
  ) {}

  static async start(natsUrl: string): Promise<RequestReplyFloor> {
    const [requesting, answering] = await Promise.all([connect({ servers: natsUrl }), connect({ servers: natsUrl })]);
    answering.subscribe(SUBJECT, { callback: (_error, message) => message.respond(message.data) });
    await answering.flush();
    return new RequestReplyFloor(requesting, answering);
  }

  async request(): Promise<void> {
    await this.requesting.request(SUBJECT, PAYLOAD, { timeout: 5_000 });
  }

  async close(): Promise<void> {
    await Promise.all([this.requesting.close(), this.answering.close()]);
  }
}
