import { Injectable } from '@nestjs/common';
import type { EventPage, ListEventsRequest, PlacedEvent } from '@kinora/contracts/jobs/jobs.events';
import { toPage } from '@kinora/bus';
import { toWebhookEvent } from '@kinora/webhooks';
import { decodeFeedCursor, encodeFeedCursor, feedCursorGone, LIST_PAGE_MAX_BYTES } from '../../job/cursor';
import { JobRepository } from '../../job/job.repository';
import { JobPresenter } from '../../job/job.view';
import { EventFeedRepository, type FeedEntry, NUMBERED_AT_ONCE } from '../event-feed.repository';

/** A read numbers this many full batches at most; the next read, or the sweep, numbers the others. */
const MOST_BATCHES = 4;

/** The feed of an account: the events that webhooks carry, with the same ids and bodies, oldest first. */
@Injectable()
export class ListEvents {
  constructor(
    private readonly feed: EventFeedRepository,
    private readonly jobs: JobRepository,
    private readonly presenter: JobPresenter,
  ) {}

  /** Numbers what has ended before it reads, so that an event is in the feed as soon as its job has ended. */
  async execute({ account_id: accountId, limit, after: text, type }: ListEventsRequest): Promise<EventPage> {
    const after = text === undefined ? null : decodeFeedCursor(text);
    await this.numberEnded(accountId);
    const slice = await this.feed.list(accountId, { after, type: type ?? null, limit: limit + 1 });
    if (!slice.isAfterKnown) throw feedCursorGone();
    const found = await this.placeAll(slice.entries);
    const page = toPage(found, { limit, maxBytes: LIST_PAGE_MAX_BYTES, cursorOf: ({ cursor }) => cursor });
    // At the end of the feed the cursor is that of its last event, of whatever type: it lasts while older events are pruned.
    const end = slice.end && encodeFeedCursor(slice.end);
    return { events: page.data, has_more: page.has_more, next_cursor: page.next_cursor ?? end };
  }

  private async numberEnded(accountId: string): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch += 1)
      if ((await this.feed.number(accountId)) < NUMBERED_AT_ONCE) return;
  }

  /** An ended job does not change, so it may be read after its event. Its month is not dropped before the event is pruned. */
  private async placeAll(entries: FeedEntry[]): Promise<PlacedEvent[]> {
    const rows = await this.jobs.findMany(entries.map(({ job_id }) => job_id));
    const finished = new Map(rows.map((row) => [row.id, this.presenter.toFinished(row)]));
    const placed = entries.map(async ({ job_id: jobId, ...place }): Promise<PlacedEvent[]> => {
      const event = await finished.get(jobId);
      return event ? [{ cursor: encodeFeedCursor(place), event: toWebhookEvent(event.event_id, event.job) }] : [];
    });
    return (await Promise.all(placed)).flat();
  }
}
