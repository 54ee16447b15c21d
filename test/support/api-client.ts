import { waitFor } from '@kinora/testing';
import type { Account } from '@kinora/contracts/billing/account';
import type { Job } from '@kinora/contracts/jobs/job';
import { assertDescribed } from './described-answers';

export interface Answer<Body = ErrorBody> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface ErrorBody {
  error: { type: string; code: string; message: string; param?: string; request_id: string };
}

/** A client of the public API that has only its base URL, its key and the published reference. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly apiKey: string,
    private readonly imageSize = '512x512',
  ) {}

  /** The same key at another gateway. */
  at(baseUrl: string): ApiClient {
    return new ApiClient(baseUrl, this.apiKey, this.imageSize);
  }

  async get<Body>(path: string): Promise<Answer<Body>> {
    return await this.send<Body>(path, {});
  }

  /** The body of a response that must be a success; an error response is thrown in full. */
  async read<Body>(path: string): Promise<Body> {
    const { status, headers, body } = await this.get<Body>(path);
    if (status === 200) return body;
    throw new Error(`GET ${path} answered ${status}: ${JSON.stringify({ headers: [...headers], body })}`);
  }

  /** Sends a text and bytes unchanged, everything else as JSON. */
  async post<Body>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const content = body === undefined ? {} : { body: sent };
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return await this.send<Body>(path, { method: 'POST', headers: { ...type, ...headers }, ...content });
  }

  /** The body of a create with the size that the tests of this stack draw. */
  bodyOf(body: Record<string, unknown>): Record<string, unknown> {
    return { size: this.imageSize, ...body };
  }

  /** Creates a text-to-image job that must be accepted. */
  async generate(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Job> {
    const answer = await this.post<Job>('/images/generations', this.bodyOf(body), headers);
    if (answer.status !== 202 && answer.status !== 200) throw new Error(`Not accepted: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async job(id: string): Promise<Job> {
    return await this.read<Job>(`/jobs/${id}`);
  }

  /** The job, once it has a terminal status. On a busy machine, drawing may take most of the minute that a job has for it. */
  async ended(id: string, timeoutMs = 60_000): Promise<Job> {
    return await waitFor(
      async () => {
        const job = await this.job(id);
        return job.completed_at === null ? null : job;
      },
      { timeoutMs },
    );
  }

  async balanceMicros(): Promise<number> {
    return (await this.get<Account>('/account')).body.balance_micros;
  }

  /** Any other request, with the key unless the headers hold another one. */
  async send<Body>(path: string, init: RequestInit): Promise<Answer<Body>> {
    const headers = { authorization: `Bearer ${this.apiKey}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${this.baseUrl}${path}`, { ...init, headers });
    const answer = { status: response.status, headers: response.headers, body: (await response.json()) as Body };
    assertDescribed(init.method ?? 'GET', path, answer);
    return answer;
  }
}

export async function download(url: string | null | undefined): Promise<Buffer> {
  const response = await fetch(url ?? '');
  if (!response.ok) throw new Error(`A download answered ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}
