import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isInFlight } from '@kinora/contracts/jobs/job';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { Bus } from '@kinora/bus';
import { Clock } from '@kinora/service-kit';
import type { EventStream } from '../event-stream/event-stream';
import { EventStreams, lastEventId } from '../event-stream/event-streams';
import { JobWatch, SharedReads } from './job-watch';

/** What a stream reacts to, by rising priority: a later change replaces an earlier one of no higher priority. */
const PRIORITY = { updated: 1, ended: 2, over: 3 } as const;

export type Change = keyof typeof PRIORITY;

/** Holds one change for a reader that may be busy, however many arrive meanwhile. */
class LatestChange {
  private change: Change | null = null;
  private wake: () => void = () => undefined;

  put(change: Change): void {
    if (this.change === null || PRIORITY[change] > PRIORITY[this.change]) this.change = change;
    this.wake();
  }

  /** Removes and returns the change; waits for one, and returns null where none comes before the deadline. */
  async take(deadline: AbortSignal): Promise<Change | null> {
    if (this.change === null && !deadline.aborted) {
      await new Promise<void>((resolve) => {
        this.wake = () => {
          deadline.removeEventListener('abort', this.wake);
          resolve();
        };
        deadline.addEventListener('abort', this.wake);
      });
    }
    const { change } = this;
    // The end of the stream is final.
    if (change !== 'over') this.change = null;
    return change;
  }

  /** Resolves at the deadline, or as soon as something more urgent than an update is there. Takes nothing away. */
  async pause(deadline: AbortSignal): Promise<void> {
    let held: Change | null = null;
    while ((held === null || held === 'updated') && !deadline.aborted) held = (await this.take(deadline)) ?? held;
    if (held) this.put(held);
  }
}

/** (decisions: Events of a job) At most four events a second. */
const MIN_GAP_MS = 250;
/** A place in the queue changes without a change of the job, so it is read again. */
const QUEUED_REFRESH_MS = 2_000;
/** Repairs the lost signal of an update; the watch itself repairs that of the end. */
const PROCESSING_REFRESH_MS = 15_000;
/** All streams of a process together refresh a hundred times a second at most. */
const REFRESH_MS_A_STREAM = 10;
const RETRY_MS = 1_000;
const END_ID = /^end:/;

/** GET /jobs/{id}/events: the progress of a job, and its end. */
@Injectable()
export class FollowJob {
  constructor(
    private readonly bus: Bus,
    private readonly streams: EventStreams,
    private readonly watch: JobWatch,
    private readonly reads: SharedReads,
    private readonly clock: Clock,
  ) {}

  /** Answers the request itself. @throws ApiError not_found, concurrency_limit, capacity before the stream has begun */
  async execute(ref: JobRef, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const changes = new LatestChange();
    // Before the first read, so that no change is missed between the two.
    const stopWatching = this.watch.add(ref.job_id, (change) => changes.put(change));
    try {
      const progress = await this.bus.request(jobsRpc.getProgress, ref);
      // After a 204 an EventSource does not reconnect: it has received the end.
      if (!isInFlight(progress.status) && END_ID.test(lastEventId(request) ?? '')) return void reply.status(204).send();
      const stream = this.streams.open(request, reply);
      stream.onOver(() => changes.put('over'));
      await this.follow(ref, progress, stream, { changes, idPrefix: `progress:${request.id}` });
    } finally {
      stopWatching();
    }
  }

  private async follow(
    ref: JobRef,
    first: JobProgress,
    stream: EventStream,
    { changes, idPrefix }: { changes: LatestChange; idPrefix: string },
  ): Promise<void> {
    let sent = '';
    let events = 0;
    let progress = first;
    let hasEnded = !isInFlight(first.status);
    while (!stream.isOver) {
      const shown = shownIn(progress);
      // A state may come again, as a place in the queue does, so its id has the number of the event; the request id tells streams apart.
      if (shown !== sent)
        await stream.send({ id: `${idPrefix}:${(events += 1)}`, type: 'job.progress', data: progress });
      if (hasEnded && (await this.sendEnd(ref, stream))) return stream.end();
      if (shown !== sent) await changes.pause(this.clock.deadline(MIN_GAP_MS));
      sent = shown;
      const change = await changes.take(this.clock.deadline(hasEnded ? RETRY_MS : this.refreshMs(progress)));
      hasEnded ||= change === 'ended';
      if (!hasEnded && change !== 'over')
        progress = await this.reads.read(jobsRpc.getProgress, ref).catch(() => progress);
      hasEnded ||= !isInFlight(progress.status);
    }
  }

  /** False where the job cannot be read now. */
  private async sendEnd(ref: JobRef, stream: EventStream): Promise<boolean> {
    const job = await this.reads.read(jobsRpc.get, ref).catch(() => null);
    if (!job || isInFlight(job.status)) return false;
    await stream.send({ id: `end:${job.status}`, type: `job.${job.status}`, data: job });
    return true;
  }

  private refreshMs({ status }: JobProgress): number {
    const leastMs = status === 'queued' ? QUEUED_REFRESH_MS : PROCESSING_REFRESH_MS;
    return Math.max(leastMs, this.streams.size * REFRESH_MS_A_STREAM);
  }
}

/** What is an event when it changes: all but the estimate. */
function shownIn({ status, progress, queue_position }: JobProgress): string {
  return `${status}:${progress ?? ''}:${queue_position ?? ''}`;
}
