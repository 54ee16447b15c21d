import { event, signal } from '../shared/contract';
import type { Job } from './job';

/** A job has reached its one terminal state. */
export interface JobFinished {
  /** `evt_…`, derived from the job: a job has exactly one terminal event, so a repeat carries the same id. */
  event_id: string;
  account_id: string;
  webhook_url: string | null;
  job: Job;
}

export const jobsEvents = {
  finished: event<JobFinished>('jobs.v1.event.job_finished'),
} as const;

export const jobsSignals = {
  /** Wakes idle runners. The signal may be lost: every runner also polls within a second. */
  queued: signal<Record<string, never>>('jobs.v1.signal.job_queued'),
} as const;
