import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { EventList, EventPage } from '@kinora/contracts/jobs/events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ListEventsQuery } from '@kinora/contracts/jobs/list-events.query';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastEventId } from '../event-stream/last-event-id';
import { callerOf } from '../http/caller.decorator';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { acceptsEventStream } from './accepts-event-stream';
import { FeedStreams } from './feed-streams';
import { LIST_EVENTS_PARAMS, STREAM_PAGE, toListEventsRequest } from './list-events-request';

@Controller('events')
export class EventsController {
  constructor(
    private readonly bus: Bus,
    private readonly streams: FeedStreams,
  ) {}

  @Get()
  @RoutePolicy({ query: LIST_EVENTS_PARAMS })
  @Operation({
    operationId: 'listEvents',
    tag: 'Events',
    summary: 'List or follow the events of the account',
    description:
      'The events of all ended jobs of the account, with and without a `webhook_url`, oldest first, with the ids and bodies that ' +
      'webhooks carry. No event is ever skipped: after an event, none can appear before it. Events are kept for 7 days unless the ' +
      'operator has set another time. Where events after `after` are gone, the answer is 400 with `param` `after`. With ' +
      '`Accept: text/event-stream` the answer is a stream that stays open and continues after `Last-Event-ID` or `after`; it may ' +
      'end at any time, and the client reconnects.',
    answers: { 200: 'A page of events, or the stream.' },
    streams: 'also',
    query: ListEventsQuery,
    errors: [...jobsRpc.listEvents.errors, 'concurrency_limit'],
  })
  async list(@Req() request: FastifyRequest, @Query() query: unknown, @Res() reply: FastifyReply): Promise<EventList> {
    const requested = toListEventsRequest(query, callerOf(request));
    if (!acceptsEventStream(request)) return sent(reply, await this.bus.request(jobsRpc.listEvents, requested));
    const lastId = lastEventId(request);
    const start = { ...requested, limit: STREAM_PAGE, ...(lastId !== undefined && { after: lastId }) };
    // A bad cursor is answered as an error: after the stream has begun it could not be.
    const first = await this.bus.request(jobsRpc.listEvents, start);
    this.streams.open(request, reply, start, first);
    return toEventList(first);
  }
}

/** Nest sends nothing for a handler that takes the reply, whatever it returns; the return type describes the route. */
function sent(reply: FastifyReply, page: EventPage): EventList {
  const list = toEventList(page);
  reply.send(list);
  return list;
}

function toEventList({ events, has_more, next_cursor }: EventPage): EventList {
  return { object: 'list', data: events.map(({ event }) => event), has_more, next_cursor };
}
