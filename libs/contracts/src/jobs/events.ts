import type { List } from '../shared/page';
import type { WebhookEvent, WebhookEventType } from './webhook-event';

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
