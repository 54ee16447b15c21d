import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { Pool } from 'undici';
import { forkProgram } from '../fork-program';

const ACCOUNTS = 1_000;

/** The plain service in a process of its own, and a client that sends to it without a pause. */
export class PlainClient {
  private sent = 0;

  private constructor(
    private readonly service: ChildProcess,
    private readonly pool: Pool,
  ) {}

  static async start(databaseUrl: string, connections: number): Promise<PlainClient> {
    const file = path.join(__dirname, 'plain-service.js');
    const { program, received } = await forkProgram<{ port: number }>(file, [databaseUrl]);
    return new PlainClient(program, new Pool(`http://127.0.0.1:${received.port}`, { connections, pipelining: 1 }));
  }

  async create(): Promise<void> {
    const accountId = String(this.sent++ % ACCOUNTS);
    const response = await this.pool.request({
      method: 'POST',
      path: '/images/generations',
      headers: { 'content-type': 'application/json', 'account-id': accountId, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ prompt: `${'x'.repeat(540)} ${this.sent}`, size: '1024x1024', n: 1 }),
    });
    const body = await response.body.text();
    if (response.statusCode !== 202) throw new Error(`The plain service answered ${response.statusCode}: ${body}`);
  }

  async close(): Promise<void> {
    await this.pool.close();
    const exited = once(this.service, 'exit');
    this.service.disconnect();
    await exited;
  }
}
