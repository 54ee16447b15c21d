import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventList, EventPage } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ListEventsQuery } from '@kinora/contracts/jobs/lists.query';
import { Bus } from '@kinora/bus';
import { lastEventId } from '../event-stream/event-streams';
import { callerOf } from '../http/parameters.decorator';
import { readPageAs } from '../http/read-fields';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { FeedStreams } from './feed-streams';

/** Whether the client names the type of event streams. A wildcard, which every HTTP library sends, does not ask for one. */
export function acceptsEventStream({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const ranges = (headers.accept ?? '').toLowerCase().split(',');
  return ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

const LIST_EVENTS_PARAMS = ['limit', 'after', 'type'] as const satisfies (keyof ListEventsQuery)[];

/** A stream reads full pages; their bytes are bounded by jobs. */
const STREAM_PAGE = 100;

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
    const { account_id } = callerOf(request);
    const requested = { account_id, ...readPageAs(ListEventsQuery, query) };
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
