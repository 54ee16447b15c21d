import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config';
import { CallerLimit } from '../http/caller-limit';
import { openStreams } from '../http/http.metrics';
import { callerOf, keySha256Of } from '../http/parameters.decorator';
import { KeyWatch } from '../leases/key-watch';
import { EventStream } from './event-stream';

/** (decisions: Events of a job) Common proxies close a connection that is silent for 60 s. */
const HEARTBEAT_SECONDS = 15;

/**
 * Calls each member every 15 seconds. One timer serves all members in 15 slots, because thousands of heartbeats at one
 * moment would delay other requests.
 */
export class HeartbeatWheel {
  private readonly slots = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<() => void>());
  private current = 0;
  private timer: NodeJS.Timeout | null = null;

  /** The first call comes within 15 seconds. Returns the function that removes the member. */
  add(beat: () => void): () => void {
    // The slot that was served last is the one whose next turn is 15 seconds away.
    const slot = this.slots[this.current] as Set<() => void>;
    slot.add(beat);
    this.timer ??= setInterval(() => this.advance(), 1_000).unref();
    return () => slot.delete(beat);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    for (const slot of this.slots) slot.clear();
  }

  private advance(): void {
    this.current = (this.current + 1) % HEARTBEAT_SECONDS;
    for (const beat of this.slots[this.current] ?? []) beat();
  }
}

/** A client that reads nothing for this long is cut. It reconnects with the id of its last event and misses nothing. */
const SLOW_READER_MS = 30_000;

/** Of the connections of the process. The others stay free. */
const STREAMS_PART = 0.2;

/** (decisions: Events of a job) */
const STREAM_HEADERS = {
  // Without a charset: the type has no other than UTF-8, and the reference names it like this.
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // nginx would otherwise collect the events in a buffer.
  'X-Accel-Buffering': 'no',
  // No other request may wait behind a response that stays open, and the end of the stream must free the connection.
  Connection: 'close',
};

/** The open event streams of this process: their bounds, their heartbeats, and their end with their key or at shutdown. */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<EventStream>();
  private readonly heartbeats = new HeartbeatWheel();
  private readonly limit: CallerLimit;
  private isDraining = false;

  constructor(
    private readonly keys: KeyWatch,
    { keyStreamsMax, accountSharePercent, connectionsMax }: GatewayConfig,
  ) {
    const process = Math.floor(connectionsMax * STREAMS_PART);
    this.limit = new CallerLimit({ process, accountPercent: accountSharePercent, key: keyStreamsMax });
    openStreams.readBy({}, () => this.size);
  }

  get size(): number {
    return this.streams.size;
  }

  /**
   * Answers the request of a caller with an open stream. The handler must not answer afterwards, and errors must be thrown
   * before this call. A stream that opens during shutdown is over at once, so that its client reconnects to another process.
   * @throws ApiError concurrency_limit, capacity
   */
  open(request: FastifyRequest, reply: FastifyReply): EventStream {
    const caller = callerOf(request);
    const place = this.limit.take(caller);
    if (typeof place === 'string') throw this.limit.refusal(place, 'open event streams');
    reply.hijack();
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS });
    const stream = new EventStream(reply.raw, SLOW_READER_MS);
    this.streams.add(stream);
    const stopKeyWatch = this.keys.add(keySha256Of(request), caller.account_id, () => stream.end());
    const stopHeartbeat = this.heartbeats.add(() => stream.sendHeartbeat());
    stream.onOver(() => {
      stopHeartbeat();
      stopKeyWatch();
      this.streams.delete(stream);
      place();
    });
    // HEAD gets the headers, and Node sends no body.
    if (this.isDraining || request.method === 'HEAD') stream.end();
    return stream;
  }

  beforeApplicationShutdown(): void {
    this.isDraining = true;
    this.heartbeats.stop();
    for (const stream of this.streams) stream.end();
  }
}

/** Longer than any id that a stream of this service has sent. */
const MAX_CHARS = 200;

/** The id of the last event that a reconnecting client has received; undefined without one, and for no id of this service. */
export function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' && id.length <= MAX_CHARS ? id : undefined;
}
