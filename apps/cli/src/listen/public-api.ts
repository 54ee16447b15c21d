import { AuthenticationError, Kinora, KinoraError } from '@kinora/client';
import type { Job } from '@kinora/contracts/jobs/job';
import { ApiError } from '@kinora/contracts/shared/errors';

const TIMEOUT_MS = 15_000;
const PAGE_JOBS = 100;

/** The account's jobs, read through the public API. A request beyond the rate limit waits and is repeated by the client. */
export class PublicApi {
  private readonly kinora: Kinora;

  constructor(
    private readonly baseUrl: string,
    apiKey: string,
  ) {
    this.kinora = new Kinora({ apiKey, baseURL: baseUrl, timeout: TIMEOUT_MS });
  }

  /** By the service's clock, which also sets the end of jobs. */
  async now(): Promise<string> {
    return (await this.unlessRefused(this.kinora.ping())).time;
  }

  /** All jobs that were created since then, newest first, and possibly some older ones. */
  async listJobsSince(createdSinceMs: number): Promise<Job[]> {
    return await this.unlessRefused(this.readPages(createdSinceMs));
  }

  getJob(id: string): Promise<Job> {
    return this.unlessRefused(this.kinora.jobs.get(id));
  }

  private async readPages(createdSinceMs: number): Promise<Job[]> {
    const jobs: Job[] = [];
    for await (const { data } of this.kinora.jobs.list({ limit: PAGE_JOBS }).pages()) {
      jobs.push(...data);
      if (data.some(({ created_at }) => Date.parse(created_at) < createdSinceMs)) break;
    }
    return jobs;
  }

  /** @throws ApiError `invalid_api_key` if a retry cannot succeed, otherwise `capacity` */
  private async unlessRefused<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof AuthenticationError) throw new ApiError('invalid_api_key', 'The API key is not recognised.');
      if (!(error instanceof KinoraError)) throw error;
      const problem = error.status === null ? 'does not answer' : `answered ${error.status}`;
      throw new ApiError('capacity', `The API at ${this.baseUrl} ${problem}.`);
    }
  }
}
