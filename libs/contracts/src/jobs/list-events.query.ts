import { IsCursor, IsIntegerText, IsOneOf, Optional } from '../shared/field-rules';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhook-event';

/** The query of GET /events. */
export class ListEventsQuery {
  /**
   * The maximum number of events of the page. A stream ignores it.
   * @default 20
   */
  @Optional()
  @IsIntegerText({ min: 1, max: 100 })
  limit?: string;

  /** The `next_cursor` of the previous page, or the id of the last event that you have seen. From the oldest event when left out. */
  @Optional()
  @IsCursor()
  after?: string;

  /** Only events of this type. */
  @Optional()
  @IsOneOf(WEBHOOK_EVENT_TYPES)
  type?: WebhookEventType;
}
