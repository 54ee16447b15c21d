import { IsCursor, IsIntegerText, IsOneOf, IsText, IsTimeText, Optional } from '../shared/field-rules';
import { JOB_STATUSES, type JobStatus } from './job';
import { USAGE_GROUPINGS, type UsageGrouping } from './usage';
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

/** The query of (API: GET /jobs). */
export class ListJobsQuery {
  /**
   * The maximum number of jobs of the page.
   * @default 20
   */
  @Optional()
  @IsIntegerText({ min: 1, max: 100 })
  limit?: string;

  /** The `next_cursor` of the previous page. */
  @Optional()
  @IsCursor()
  cursor?: string;

  /** Only jobs in this state. */
  @Optional()
  @IsOneOf(JOB_STATUSES)
  status?: JobStatus;

  /** Only jobs of this model. */
  @Optional()
  @IsText({ min: 0, max: 64 })
  model?: string;
}

/** The query of GET /videos of the OpenAI-compatible API. */
export class ListVideosQuery {
  /**
   * The maximum number of videos of the page.
   * @default 20
   */
  @Optional()
  @IsIntegerText({ min: 1, max: 100 })
  limit?: string;

  /** The `last_id` of the previous page, which is the id of its last video. */
  @Optional()
  @IsText({ min: 1, max: 200 })
  after?: string;

  /**
   * By the time of creation: `desc` begins with the newest.
   * @default "desc"
   */
  @Optional()
  @IsOneOf(['asc', 'desc'])
  order?: 'asc' | 'desc';
}

/** The query of GET /videos/{id}/content of the OpenAI-compatible API. */
export class VideoContentQuery {
  /**
   * What to download. There are no thumbnails and no sprite sheets.
   * @default "video"
   */
  @Optional()
  @IsOneOf(['video'])
  variant?: 'video';
}

/** The query of GET /usage. The jobs service parses `from` and `to`. */
export class UsageQuery {
  /** Start, inclusive: RFC 3339, UTC where it has no offset, or `YYYY-MM-DD` for midnight UTC. 30 days before `to` when left out. */
  @Optional()
  @IsTimeText()
  from?: string;

  /** End, exclusive, in the same form. Now when left out or in the future. */
  @Optional()
  @IsTimeText()
  to?: string;

  /**
   * The key by which the sums are grouped.
   * @default "day"
   */
  @Optional()
  @IsOneOf(USAGE_GROUPINGS)
  group_by?: UsageGrouping;
}
