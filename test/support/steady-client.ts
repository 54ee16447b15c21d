import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '@kinora/contracts/jobs/job';
import { Pool } from 'undici';

/** Short enough that the client never uses a connection which the gateway closes as idle. */
const PAUSE_MS = 50;

export interface SteadyClientOptions {
  baseUrl: string;
  apiKey: string;
  /** The prefix of its idempotency keys. */
  name: string;
  /** The body of its n-th job. */
  bodyOf: (index: number) => Record<string, unknown>;
}

/**
 * A client that never pauses: it creates a job, polls it, and creates the next, one request at a time over a kept-alive
 * connection. It retries temporary refusals; it records every other failure.
 */
export class SteadyClient {
  readonly accepted: string[] = [];
  refusals = 0;
  /** Requests that were lost, or answered with an unexpected response. */
  readonly losses: string[] = [];
  answers = 0;
  private readonly pool: Pool;
  private readonly running: Promise<void>;
  private stopping = false;

  constructor(private readonly options: SteadyClientOptions) {
    this.pool = new Pool(new URL(options.baseUrl).origin, { connections: 1, pipelining: 1 });
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
    await this.pool.close();
  }

  private async run(): Promise<void> {
    for (let index = 0; !this.stopping; index += 1) {
      const created = await this.request('POST', '/v1/images/generations', index);
      if (!created) continue;
      this.accepted.push(created.id);
      await this.request('GET', `/v1/jobs/${created.id}`, index);
    }
  }

  /** Null where the request was lost. */
  private async request(method: 'GET' | 'POST', path: string, index: number): Promise<Job | null> {
    for (;;) {
      const answer = await this.send(method, path, index).catch((error: unknown) => String(error));
      await delay(PAUSE_MS);
      if (typeof answer !== 'string' && answer.isRefusal) this.refusals += 1;
      else if (typeof answer !== 'string') return answer.job;
      else {
        this.losses.push(`${method} ${path}: ${answer}`);
        return null;
      }
    }
  }

  /** @throws Error for a response that is neither the job nor a temporary refusal. */
  private async send(method: 'GET' | 'POST', path: string, index: number): Promise<{ isRefusal: boolean; job: Job }> {
    const { apiKey, name, bodyOf } = this.options;
    const { statusCode, headers, body } = await this.pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': `${name}-${index}` }),
      },
      body: method === 'POST' ? JSON.stringify(bodyOf(index)) : null,
    });
    const text = await body.text();
    this.answers += 1;
    const isRefusal = statusCode === 503 && Number(headers['retry-after']) >= 1;
    if (!isRefusal && statusCode !== 200 && statusCode !== 202) throw new Error(`${statusCode} ${text}`);
    return { isRefusal, job: JSON.parse(text) as Job };
  }
}
