import { Injectable } from '@nestjs/common';
import { EventFeedRepository } from '../../feed/event-feed.repository';

/** Numbers the events of accounts that do not read their feeds: events are kept, and pruned, by the time of their number. */
@Injectable()
export class NumberEvents {
  constructor(private readonly feed: EventFeedRepository) {}

  execute(): Promise<{ more: boolean }> {
    return this.feed.numberAll();
  }
}
