import type { Job } from '@kinora/contracts/jobs/job';
import type { PublicApi } from './public-api';

/** No job is in flight nearly that long: a job created earlier has ended before this command began. */
const LONGEST_JOB_MS = 60 * 60_000;
/** A job may become visible after jobs that were created later. No transaction lasts nearly that long. */
const OVERLAP_MS = 60_000;

/** An account's jobs that have ended since a time, each returned once. */
export class EndedJobs {
  private inFlight = new Set<string>();
  private forwarded = new Set<string>();
  /** Every job created before this time is known: it has ended, or is in `inFlight`. */
  private knownBefore: number;

  /** @param since by the service's clock. */
  constructor(
    private readonly api: PublicApi,
    private readonly since: string,
  ) {
    this.knownBefore = Date.parse(since) - LONGEST_JOB_MS;
  }

  /** The jobs that have ended since the last poll, in the order of their end. A failed poll changes no state. */
  async poll(): Promise<Job[]> {
    const recent = await this.api.listJobsSince(this.knownBefore);
    const isRecent = new Set(recent.map(({ id }) => id));
    const older = [...this.inFlight].filter((id) => !isRecent.has(id));
    const jobs = [...recent, ...(await Promise.all(older.map((id) => this.api.getJob(id))))];
    const ended = jobs.filter(({ completed_at, id }) => isSince(completed_at, this.since) && !this.forwarded.has(id));
    this.inFlight = new Set(jobs.filter(({ completed_at }) => !completed_at).map(({ id }) => id));
    // A job that has ended and is no longer recent is not polled again, so its id is dropped.
    this.forwarded = new Set([...this.forwarded, ...ended.map(({ id }) => id)].filter((id) => isRecent.has(id)));
    const [newest] = recent;
    if (newest) this.knownBefore = Math.max(this.knownBefore, Date.parse(newest.created_at) - OVERLAP_MS);
    return ended.sort((one, other) => Date.parse(one.completed_at ?? '') - Date.parse(other.completed_at ?? ''));
  }
}

function isSince(time: string | null | undefined, since: string): boolean {
  return typeof time === 'string' && Date.parse(time) >= Date.parse(since);
}
