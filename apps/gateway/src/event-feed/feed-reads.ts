import { Injectable } from '@nestjs/common';
import { Bus, deadlineIn, runInCall } from '@kinora/bus';
import type { EventPage, ListEventsRequest } from '@kinora/contracts/jobs/events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { newRequestId } from '../http/request-id';

/** Reads of feeds for open streams: one request for all streams that continue at the same place in one turn of the event loop. */
@Injectable()
export class FeedReads {
  private readonly pending = new Map<string, Promise<EventPage>>();

  constructor(private readonly bus: Bus) {}

  /** Starts after the call, so the page is never older than the signal that caused it. */
  read(request: ListEventsRequest): Promise<EventPage> {
    const { account_id: accountId, after = '', type = '' } = request;
    const key = `${accountId} ${after} ${type}`;
    if (this.pending.size === 0) setImmediate(() => this.pending.clear());
    const deadlineAtMs = deadlineIn(jobsRpc.listEvents.timeoutMs);
    const shared =
      this.pending.get(key) ??
      runInCall({ requestId: newRequestId(), accountId, deadlineAtMs }, () =>
        this.bus.request(jobsRpc.listEvents, request),
      );
    this.pending.set(key, shared);
    return shared;
  }
}
