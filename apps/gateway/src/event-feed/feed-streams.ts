import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChangedJobs, EventPage, ListEventsRequest } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { EventStream } from '../event-stream/event-stream';
import { EventStreams } from '../event-stream/event-streams';
import { SharedReads, Watchers } from '../job-watch/job-watch';

/** The accounts whose feeds this process streams. Signals of jobs tell which of them have new events. */
@Injectable()
export class AccountWatch extends Watchers<void> {
  report({ ended_accounts: accountIds }: ChangedJobs): void {
    for (const accountId of accountIds) this.notify(accountId, undefined);
  }
}

/** Lets one loop wait for a notification, of which it gets one for all that came since its last wait. */
class NewsWait {
  private isNotified = false;
  private wake: (() => void) | null = null;

  notify(): void {
    this.isNotified = true;
    this.wake?.();
  }

  /** Resolves `pauseMs` after the call at the earliest, and then at the next notification, or after `atLatestMs` without one. */
  async next({ pauseMs, atLatestMs }: { pauseMs: number; atLatestMs: number }): Promise<void> {
    await this.pause(pauseMs);
    if (!this.isNotified) await this.sleepUntilNotified(atLatestMs);
    this.isNotified = false;
  }

  pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
  }

  private sleepUntilNotified(atLatestMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(finish, atLatestMs).unref();
      this.wake = finish;
    });
  }
}

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
    private readonly reads: SharedReads,
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
      return await this.reads.read(jobsRpc.listEvents, request);
    } catch (error) {
      if (error instanceof ApiError && error.code !== 'invalid_query') return null;
      throw error;
    }
  }
}
