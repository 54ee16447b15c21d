import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { Job } from '../../libs/contracts/src/jobs/job';

/** Long enough that no job of a round begins to render, and well below the run deadline. */
const DELAY = '[[delay:50s]]';

/** The public interface over kept connections, as a busy client would use it. */
export class KinoraClient {
  private readonly pool: Pool;
  private created = 0;
  readonly jobIds: string[] = [];

  constructor(
    baseUrl: string,
    private readonly apiKey: string,
    connections: number,
  ) {
    this.pool = new Pool(new URL(baseUrl).origin, { connections, pipelining: 1 });
  }

  /** Creates a job whose prompt nobody has sent before. */
  async create(): Promise<void> {
    const prompt = `${DELAY} a calm sea at dawn, number ${this.created++} ${performance.now()}`;
    const { status, body } = await this.send('POST', '/v1/images/generations', JSON.stringify({ prompt }));
    if (status !== 202) throw new Error(`A create answered ${status}: ${body}`);
    this.jobIds.push((JSON.parse(body) as Job).id);
  }

  async getAny(): Promise<void> {
    const id = this.jobIds[Math.floor(Math.random() * this.jobIds.length)] ?? '';
    const { status } = await this.send('GET', `/v1/jobs/${id}`);
    if (status !== 200) throw new Error(`A get answered ${status}.`);
  }

  async get(id: string): Promise<Job> {
    return JSON.parse((await this.send('GET', `/v1/jobs/${id}`)).body) as Job;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async send(method: 'GET' | 'POST', path: string, body?: string): Promise<{ status: number; body: string }> {
    const headers = { authorization: `Bearer ${this.apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await this.pool.request({ method, path, headers, body: body ?? null });
    return { status: response.statusCode, body: await response.body.text() };
  }
}
