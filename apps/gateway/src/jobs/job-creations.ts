import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Bus, UnansweredError, deadlineIn, runInCall } from '@kinora/bus';
import {
  ABANDONED_CREATIONS_MAX,
  type AbandonedCreation,
  abandonedCreationsRpc,
} from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { type CreateJobReply, type CreateJobRequest, type Idempotency, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { newRequestId } from '../http/call.hook';

const REPEAT_EVERY_MS = 1_000;
/** Far longer than jobs or the broker are away in an upgrade or after a crash. */
const REPEATED_FOR_MS = 15 * 60_000;
/** About 5 MB. */
const WAITING_MAX = 10_000;

/**
 * Creates jobs, and takes each creation back that may have succeeded although its caller is told that it failed. A message may
 * wait for long in a broker or a process that stands still, so no deadline in it ends its effect: jobs is told, until it confirms.
 */
@Injectable()
export class JobCreations implements OnApplicationShutdown {
  /** Abandoned creations that jobs has not confirmed, with the time at which the last attempt ends. */
  private readonly waiting = new Map<AbandonedCreation, number>();
  private timer: NodeJS.Timeout | null = null;
  private isRepeating = false;

  constructor(
    private readonly bus: Bus,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws ApiError */
  async create(request: CreateJobRequest): Promise<CreateJobReply> {
    const job_id = uuidv7();
    try {
      return await this.bus.request(jobsRpc.create, { ...request, job_id });
    } catch (error) {
      const { account_id, idempotency } = request;
      if (mayStillCreate(error)) this.abandon({ account_id, job_id, ...(idempotency && { has_key: true }) });
      throw error;
    }
  }

  /** The job of an earlier request with the key; null without one. */
  async findReplay(account_id: string, idempotency: Idempotency | undefined): Promise<CreateJobReply | null> {
    if (!idempotency) return null;
    const { job } = await this.bus.request(jobsRpc.findReplay, { account_id, idempotency });
    return job && { job, replayed: true };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.sendWaiting();
  }

  /** The first message leaves before the caller is answered. */
  private abandon(creation: AbandonedCreation): void {
    if (this.waiting.size >= WAITING_MAX) return this.logLost(creation, 'too many are waiting');
    this.waiting.set(creation, performance.now() + REPEATED_FOR_MS);
    void this.send([creation]);
    this.timer ??= setInterval(() => void this.repeat(), REPEAT_EVERY_MS).unref();
  }

  private async repeat(): Promise<void> {
    if (this.isRepeating) return;
    this.isRepeating = true;
    await this.sendWaiting();
    this.isRepeating = false;
    for (const [creation, untilMs] of this.waiting) {
      if (performance.now() < untilMs) continue;
      this.waiting.delete(creation);
      this.logLost(creation, 'jobs has not confirmed it in time');
    }
    if (this.waiting.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private async sendWaiting(): Promise<void> {
    const creations = [...this.waiting.keys()];
    for (let place = 0; place < creations.length; place += ABANDONED_CREATIONS_MAX)
      await this.send(creations.slice(place, place + ABANDONED_CREATIONS_MAX));
  }

  /** The bus logs what is not answered. */
  private async send(creations: AbandonedCreation[]): Promise<void> {
    const call = { requestId: newRequestId(), deadlineAtMs: deadlineIn(abandonedCreationsRpc.abandon.timeoutMs) };
    const answer = runInCall(call, () => this.bus.request(abandonedCreationsRpc.abandon, { creations }));
    const settled = new Set((await answer.catch(() => ({ settled: [] }))).settled);
    for (const creation of creations) if (settled.has(creation.job_id)) this.waiting.delete(creation);
  }

  private logLost({ account_id, job_id }: AbandonedCreation, reason: string): void {
    this.logger.error({ account_id, job_id, reason }, 'creation_not_abandoned');
  }
}

/** Every other error is the answer of jobs, which has no job then. */
function mayStillCreate(error: unknown): boolean {
  return error instanceof UnansweredError || !(error instanceof ApiError) || error.code === 'internal_error';
}
