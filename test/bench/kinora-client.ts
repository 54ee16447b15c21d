import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { Job } from '../../libs/contracts/src/jobs/job';

/** Long enough that no job ends during a measurement. */
const DELAY = '[[delay:3000s]]';

/** A client of the public API over kept-alive connections. */
export class KinoraClient {
  private readonly pool: Pool;
  private created = 0;
  private sent = 0;
  private readonly jobs: { id: string; apiKey: string }[] = [];

  constructor(
    baseUrl: string,
    /** One API key for each account, used in rotation. */
    private readonly apiKeys: string[],
    connections: number,
  ) {
    this.pool = new Pool(new URL(baseUrl).origin, { connections, pipelining: 1 });
  }

  /** Creates a job with a new prompt and the given fields. */
  async create(requests: Record<string, unknown> = {}): Promise<Job> {
    const apiKey = this.nextKey();
    const { status, body } = await this.request(apiKey, requests);
    // 200 if the job ends within the waiting time of its model.
    if (status !== 202 && status !== 200) throw new Error(`A create answered ${status}: ${body}`);
    const job = JSON.parse(body) as Job;
    this.jobs.push({ id: job.id, apiKey });
    return job;
  }

  /** Creates a job that the balance may not cover. @returns whether it was created. */
  async decide(): Promise<boolean> {
    const { status, body } = await this.request(this.nextKey());
    if (status !== 202 && status !== 402) throw new Error(`A create answered ${status}: ${body}`);
    return status === 202;
  }

  /** Creates a job. @returns the status of the response. */
  async statusOfCreate(): Promise<number> {
    return (await this.request(this.nextKey())).status;
  }

  /** Sends an edit with the body as given. */
  async createEdit(edit: string): Promise<void> {
    const { status, body } = await this.send('POST', '/v1/images/edits', this.nextKey(), edit);
    if (status !== 202) throw new Error(`An edit answered ${status}: ${body}`);
  }

  async getAny(): Promise<void> {
    const job = this.jobs[Math.floor(Math.random() * this.jobs.length)];
    if (!job) throw new Error('There is no job to get.');
    const { status, body } = await this.send('GET', `/v1/jobs/${job.id}`, job.apiKey);
    if (status !== 200) throw new Error(`A get answered ${status}: ${body}`);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private request(apiKey: string, requests: Record<string, unknown> = {}): Promise<{ status: number; body: string }> {
    const prompt = `${DELAY} a calm sea at dawn, number ${this.created++} ${performance.now()}`;
    return this.send('POST', '/v1/images/generations', apiKey, JSON.stringify({ prompt, ...requests }));
  }

  private nextKey(): string {
    const apiKey = this.apiKeys[this.sent++ % this.apiKeys.length];
    if (apiKey === undefined) throw new Error('A client needs a key.');
    return apiKey;
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    apiKey: string,
    body?: string,
  ): Promise<{ status: number; body: string }> {
    const headers = { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await this.pool.request({ method, path, headers, body: body ?? null });
    return { status: response.statusCode, body: await response.body.text() };
  }
}
