import { event, signal } from '../shared/contract';
import type { List } from '../shared/page';
import type { Job } from './job';
import type { WebhookEvent, WebhookEventType } from './webhook-event';

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

/** Jobs that one process has changed since its previous signal. A job is in one of the lists. */
export interface ChangedJobs {
  /** Their status or their progress has changed, and they are in flight. */
  updated: string[];
  ended: string[];
  /** The accounts of the ended jobs, whose feeds have new events. */
  ended_accounts: string[];
}

export const jobsSignals = {
  /** For gateways that hold requests about jobs. Published after the commit; a gateway that misses it notices within 15 seconds. */
  changed: signal<ChangedJobs>('jobs.v1.signal.jobs_changed'),
  /** Wakes idle runners. The signal may be lost: every runner also polls within a second. */
  queued: signal<Record<string, never>>('jobs.v1.signal.job_queued'),
} as const;

/** A page of the account's events, oldest first. */
export interface EventList extends List<WebhookEvent> {
  /** Whether later ones follow. */
  has_more: boolean;
  /** The `after` of the next page, or of a later request for new events; null while there has been no event. */
  next_cursor: string | null;
}

export interface ListEventsRequest {
  account_id: string;
  limit: number;
  /** A cursor, or the id of an event: only events after it. */
  after?: string;
  type?: WebhookEventType;
}

/** An event and the cursor of its place in the feed. */
export interface PlacedEvent {
  cursor: string;
  event: WebhookEvent;
}

export interface EventPage {
  events: PlacedEvent[];
  has_more: boolean;
  next_cursor: string | null;
}
