import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
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
