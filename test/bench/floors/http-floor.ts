import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Pool } from 'undici';

const BODY = JSON.stringify({ prompt: 'x'.repeat(640) });
const HEADERS = { 'content-type': 'application/json' };

/** What a bare Fastify takes for a JSON POST: the HTTP that no design can be faster than. */
export class HttpFloor {
  private constructor(
    private readonly server: ChildProcess,
    private readonly pool: Pool,
  ) {}

  static async start(connections: number): Promise<HttpFloor> {
    const server = fork(path.join(__dirname, 'http-floor.server.js'));
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    return new HttpFloor(server, new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 }));
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
