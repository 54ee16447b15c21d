import { Injectable } from '@nestjs/common';
import type { EventPage, ListEventsRequest } from '@kinora/contracts/jobs/events';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventStream } from '../event-stream/event-stream';
import { EventStreams } from '../event-stream/event-streams';
import { AccountWatch } from './account-watch';
import { FeedReads } from './feed-reads';
import { NewsWait } from './news-wait';

/** A stream whose signal was lost reads within this time. */
const SAFETY_READ_EVERY_MS = 15_000;
/** Between two reads of a stream, so that an account that ends many jobs causes ten reads a second and not one for each job. */
const READ_PAUSE_MS = 100;
/** After a read that failed: the stream stays open, and continues at the same place. */
const RETRY_MS = 1_000;
/** A stream ends after this time, so that streams spread over new gateway processes. Its client reconnects. */
const MAX_LIFE_MS = 10 * 60_000;

/** Streams of an account's events: the pages of the feed one after the other, and then each new event when its job ends. */
@Injectable()
export class FeedStreams {
  constructor(
    private readonly streams: EventStreams,
    private readonly watch: AccountWatch,
    private readonly reads: FeedReads,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws ApiError concurrency_limit */
  open(request: FastifyRequest, reply: FastifyReply, start: ListEventsRequest, first: EventPage): void {
    const stream = this.streams.open(request, reply);
    const news = new NewsWait();
    const stopWatch = this.watch.add(start.account_id, () => news.notify());
    const life = setTimeout(() => stream.end(), MAX_LIFE_MS).unref();
    stream.onOver(() => {
      clearTimeout(life);
      stopWatch();
      news.notify();
    });
    // What ended between the first page and the watch has no signal here.
    news.notify();
    this.follow(stream, news, start, first).catch((error: unknown) => {
      this.logger.warn({ reason: String(error) }, 'event_feed_ended');
      stream.end();
    });
  }

  private async follow(stream: EventStream, news: NewsWait, start: ListEventsRequest, first: EventPage): Promise<void> {
    let request = start;
    for (let page: EventPage | null = first; !stream.isOver; page = await this.readOrNull(request)) {
      for (const { cursor, event } of page?.events ?? [])
        if (!(await stream.send({ id: cursor, type: event.type, data: event }))) return;
      if (page?.next_cursor) request = { ...request, after: page.next_cursor };
      if (page === null) await news.pause(RETRY_MS);
      else if (!page.has_more) await news.next({ pauseMs: READ_PAUSE_MS, atLatestMs: SAFETY_READ_EVERY_MS });
    }
  }

  /** Null where the read is worth a repeat. */
  private async readOrNull(request: ListEventsRequest): Promise<EventPage | null> {
    try {
      return await this.reads.read(request);
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'invalid_query') return null;
      throw error;
    }
  }
}
