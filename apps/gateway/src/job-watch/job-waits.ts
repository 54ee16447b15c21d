import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isInFlight, type Job } from '@kinora/contracts/jobs/job';
import { type JobRef, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { Clock, Readiness } from '@kinora/service-kit';
import { GatewayConfig } from '../gateway.config';
import { invalidApiKey } from '../http/api-keys';
import { CallerLimit, type GiveBack } from '../http/caller-limit';
import { waitingRequests } from '../http/http.metrics';
import { callerOf, keySha256Of } from '../http/parameters.decorator';
import { releaseBody } from '../http/received-body';
import { onRequestEnd } from '../http/request-end';
import { KeyWatch } from '../leases/key-watch';
import { JobWatch, SharedReads } from './job-watch';

/** (decisions: Waiting for a job) */
const MAX_SECONDS = 60;
/** One preference of a list, RFC 7240: `wait=20`, `wait="20"`, with optional parameters after a semicolon. */
const WAIT = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;.*)?$/i;
const IS_WAIT = /^\s*wait\s*(?:[=;]|$)/i;
/** One preference of a list: a comma within a quoted string does not end it, and an escaped quote does not end the string. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

/**
 * The seconds of `Prefer: wait=N`, at most 60; null where no valid one is sent. The first `wait` counts (RFC 7240), and a
 * malformed one is ignored like every other preference.
 */
export function waitSecondsOf(prefer: string | string[] | undefined): number | null {
  const first = [prefer ?? []]
    .flat()
    .flatMap((header) => header.match(PREFERENCE) ?? [])
    .find((preference) => IS_WAIT.test(preference));
  const [, plain, quoted] = WAIT.exec(first ?? '') ?? [];
  const seconds = Number(plain ?? quoted ?? 0);
  return seconds >= 1 ? Math.min(seconds, MAX_SECONDS) : null;
}

/** Of the connections of the process. The others stay free. */
const WAITS_PART = 0.7;

/**
 * `changed` once the job has ended, `over` after the time or at shutdown, `left` when the client has disconnected, `revoked`
 * when the key of the request is not valid any more.
 */
type WakeReason = 'changed' | 'over' | 'left' | 'revoked';
type Wake = (reason: WakeReason) => void;

interface Hold {
  request: FastifyRequest;
  ref: JobRef;
  endsAtMs: number;
  endsWithKey: boolean;
}

/** Holds requests with `Prefer: wait=N` until their job has ended, for N seconds at most. */
@Injectable()
export class JobWaits implements BeforeApplicationShutdown {
  private readonly held = new Set<Wake>();
  private readonly limit: CallerLimit;
  private readonly reserved = new WeakMap<FastifyRequest, GiveBack>();

  constructor(
    private readonly watch: JobWatch,
    private readonly reads: SharedReads,
    private readonly readiness: Readiness,
    private readonly keys: KeyWatch,
    private readonly clock: Clock,
    { keyWaitsMax, accountSharePercent, connectionsMax }: GatewayConfig,
  ) {
    const process = Math.floor(connectionsMax * WAITS_PART);
    this.limit = new CallerLimit({ process, accountPercent: accountSharePercent, key: keyWaitsMax });
    waitingRequests.readBy({}, () => this.size);
  }

  get size(): number {
    return this.held.size;
  }

  /**
   * The job to answer with: the one given, unless the client prefers to wait for its end. Beyond the limits of the key,
   * the account and the process, and while the process stops, the request is answered without waiting and without `Preference-Applied`.
   * @throws ApiError invalid_api_key where the key of a read is revoked, rotated or expires meanwhile. A creation is then answered
   * with the job as it was created, because its client must learn what it pays for.
   */
  async apply(reply: FastifyReply, job: Job): Promise<Job> {
    const seconds = waitSecondsOf(reply.request.headers.prefer);
    if (seconds === null) return job;
    const waited = await this.untilEnded(reply.request, job, seconds, { endsWithKey: true });
    if (waited) reply.header('Preference-Applied', `wait=${seconds}`);
    return waited ?? job;
  }

  /**
   * Keeps the place of a wait until the wait or the request ends, for a request that must not create a job that it cannot wait for.
   * @throws ApiError concurrency_limit, capacity
   */
  reserve(request: FastifyRequest): void {
    const place = this.readiness.isStopping ? 'process' : this.limit.take(callerOf(request));
    if (typeof place === 'string') throw this.limit.refusal(place, 'waiting requests');
    this.reserved.set(request, place);
    onRequestEnd(request, place);
  }

  /**
   * The job when it has ended, or as it is after so many seconds. Null without a wait: beyond the limits, unless its place is
   * reserved, and while the process stops; and where a creation ends with its key.
   */
  async untilEnded(
    request: FastifyRequest,
    job: Job,
    seconds: number,
    { endsWithKey } = { endsWithKey: false },
  ): Promise<Job | null> {
    if (!isInFlight(job.status)) return job;
    const caller = callerOf(request);
    const place = this.readiness.isStopping ? 'process' : (this.reserved.get(request) ?? this.limit.take(caller));
    if (typeof place === 'string') return null;
    releaseBody(request);
    this.keepOpen(request, seconds);
    const ref = { account_id: caller.account_id, job_id: job.id };
    const endsAtMs = this.clock.nowMs() + seconds * 1_000;
    return this.hold(job, { request, ref, endsAtMs, endsWithKey }).finally(place);
  }

  /** A job that is read later answers what it then is. The requests are answered at once, so that the process can end. */
  beforeApplicationShutdown(): void {
    for (const wake of this.held) wake('over');
  }

  private async hold(job: Job, held: Hold): Promise<Job | null> {
    let latest = job;
    for (let isFirst = true; ; isFirst = false) {
      // Only once: while reads fail, a job that has ended must not be read in a loop without a pause.
      const hasEnded = isFirst && this.watch.hasRecentlyEnded(job.id);
      const reason = hasEnded ? 'changed' : await this.nextWake(held);
      // No client reads the answer.
      if (reason === 'left') return latest;
      if (reason === 'revoked') return withoutKey(held.request);
      // The job exists, so a read that fails must not turn the answer into an error.
      latest = await this.reads.read(jobsRpc.get, held.ref).catch(() => latest);
      if (reason === 'over' || !isInFlight(latest.status)) return latest;
    }
  }

  /** The server would close a connection without traffic earlier. Node restores its timeout with the next request. */
  private keepOpen({ raw: { socket } }: FastifyRequest, seconds: number): void {
    if (socket.timeout) socket.setTimeout(socket.timeout + seconds * 1_000);
  }

  private nextWake({ request, ref, endsAtMs, endsWithKey }: Hold): Promise<WakeReason> {
    const leftMs = endsAtMs - this.clock.nowMs();
    if (leftMs <= 0) return Promise.resolve('over');
    return new Promise((resolve) => {
      const finish: Wake = (reason) => {
        cancelEnd();
        stopWatching();
        stopKeyWatch?.();
        this.held.delete(finish);
        resolve(reason);
      };
      const cancelEnd = this.clock.after(leftMs, () => finish('over'));
      const stopWatching = this.watch.add(ref.job_id, (change) => change === 'ended' && finish('changed'));
      const stopKeyWatch = endsWithKey
        ? this.keys.add(keySha256Of(request), ref.account_id, () => finish('revoked'))
        : null;
      this.held.add(finish);
      onRequestEnd(request, () => finish('left'));
    });
  }
}

/** The answer of a request whose key has ended. @throws ApiError invalid_api_key, unless the request has created a job */
function withoutKey({ method }: FastifyRequest): null {
  if (method !== 'POST') throw invalidApiKey();
  return null;
}
