import type { Job } from './job';
import type { Integer } from '../shared/scalars';

/** The values of (API: WebhookEvent.type). */
export const WEBHOOK_EVENT_TYPES = ['job.succeeded', 'job.failed', 'job.canceled'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** The payload of a webhook. */
export interface WebhookEvent {
  /**
   * The same for every attempt to deliver it.
   * @pattern ^evt_
   */
  id: string;
  type: WebhookEventType;
  /** Unix seconds. */
  created: Integer;
  data: { object: Job };
}
