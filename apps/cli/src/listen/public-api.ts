import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '@kinora/contracts/jobs/job';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Page } from '@kinora/contracts/shared/page';

const TIMEOUT_MS = 15_000;
/** The largest page size. */
const PAGE_JOBS = 100;

/** A client of the public API. */
export class PublicApi {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** By the service's clock, which also sets the end of jobs. */
  async now(): Promise<string> {
    return (await this.get<{ time: string }>('/ping')).time;
  }

  /** All jobs that were created since then, newest first, and possibly some older ones. */
  async listJobsSince(createdSinceMs: number): Promise<Job[]> {
    const jobs: Job[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page<Job> = await this.get(
        `/jobs?limit=${PAGE_JOBS}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      jobs.push(...page.data);
      const isFarEnough = page.data.some(({ created_at }) => Date.parse(created_at) < createdSinceMs);
      cursor = isFarEnough ? null : page.next_cursor;
    }
    return jobs;
  }

  getJob(id: string): Promise<Job> {
    return this.get(`/jobs/${id}`);
  }

  /**
   * Waits while the key's rate is used up. @throws ApiError `invalid_api_key` if a retry cannot succeed, otherwise
   * `capacity`.
   */
  private async get<Answer>(path: string): Promise<Answer> {
    for (;;) {
      const response = await this.request(path);
      if (response?.ok) return (await response.json()) as Answer;
      if (response?.status === 401) throw new ApiError('invalid_api_key', 'The API key is not recognised.');
      if (response?.status !== 429) {
        const answer = response ? `answered ${response.status}` : 'does not answer';
        throw new ApiError('capacity', `The API at ${this.baseUrl} ${answer}.`);
      }
      // Retries only this request: to start over would read the earlier pages again and use the rate up again.
      await delay(1_000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  /** Null if the API does not answer. */
  private async request(path: string): Promise<Response | null> {
    const headers = { authorization: `Bearer ${this.apiKey}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return fetch(`${this.baseUrl}${path}`, { headers, redirect: 'error', signal }).catch(() => null);
  }
}
