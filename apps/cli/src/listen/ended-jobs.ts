import type { Job } from '@kinora/contracts/jobs/job';
import type { PublicApi } from './public-api';

/** The largest page there is: of more jobs that begin and end between two looks, some are missed. */
const PAGE_JOBS = 100;

/** An account's jobs that have ended since a time, each told once. */
export class EndedJobs {
  private inFlight = new Set<string>();
  private told = new Set<string>();

  constructor(
    private readonly api: PublicApi,
    private readonly since: string,
  ) {}

  /** Those that have ended since the last look, in the order of their end. */
  async look(): Promise<Job[]> {
    const { data } = await this.api.listJobs(PAGE_JOBS);
    const onPage = new Set(data.map(({ id }) => id));
    const older = [...this.inFlight].filter((id) => !onPage.has(id));
    const jobs = [...data, ...(await Promise.all(older.map((id) => this.api.getJob(id))))];
    const ended = jobs.filter(({ completed_at, id }) => isSince(completed_at, this.since) && !this.told.has(id));
    this.inFlight = new Set(jobs.filter(({ completed_at }) => !completed_at).map(({ id }) => id));
    // What has left the page and has ended is never looked at again.
    this.told = new Set([...this.told, ...ended.map(({ id }) => id)].filter((id) => onPage.has(id)));
    return ended.sort((one, other) => Date.parse(one.completed_at ?? '') - Date.parse(other.completed_at ?? ''));
  }
}

function isSince(time: string | null | undefined, since: string): boolean {
  return typeof time === 'string' && Date.parse(time) >= Date.parse(since);
}
