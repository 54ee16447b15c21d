import type { Job } from '@kinora/contracts/jobs/job';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Page } from '@kinora/contracts/shared/page';

const TIMEOUT_MS = 15_000;

/** The API as any client sees it. */
export class PublicApi {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** By the service's clock, which is the one that jobs end by. */
  async now(): Promise<string> {
    return (await this.get<{ time: string }>('/ping')).time;
  }

  listJobs(limit: number): Promise<Page<Job>> {
    return this.get(`/jobs?limit=${limit}`);
  }

  getJob(id: string): Promise<Job> {
    return this.get(`/jobs/${id}`);
  }

  /** @throws ApiError `invalid_api_key` where asking again is in vain, otherwise `capacity`. */
  private async get<Answer>(path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.apiKey}` };
    const response = await fetch(`${this.baseUrl}${path}`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as Answer;
    if (response?.status === 401) throw new ApiError('invalid_api_key', 'The API key is not recognised.');
    const answer = response ? `answered ${response.status}` : 'does not answer';
    throw new ApiError('capacity', `The API at ${this.baseUrl} ${answer}.`);
  }
}
