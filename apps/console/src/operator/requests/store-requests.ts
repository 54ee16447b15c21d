import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { EndedRequest } from '@kinora/contracts/console/request-log.events';
import { Counter } from '@kinora/metrics';
import { InjectLogger, type Logger, WorkLoop } from '@kinora/service-kit';
import { RequestLogRepository } from '../../requests/request-log.repository';

const storedRequests = new Counter({
  name: 'kinora_console_stored_requests_total',
  help: 'Requests of the request log, by outcome: stored, or dropped because the database was too slow or away. Each process of the operators’ half counts every request.',
  labelNames: ['outcome'],
});

const KEEP_DAYS_EVERY_MS = 60 * 60_000;
/** Signals that wait for the database, each of 250 requests at most; further ones are dropped. */
const WAITING_MAX = 20;

/** Stores the requests that gateways publish, and keeps the partitions. The log is lossy: a slow database costs rows, not memory. */
@Injectable()
export class StoreRequests implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: WorkLoop;
  private waiting: EndedRequest[][] = [];
  private storing: Promise<void> | null = null;

  constructor(
    private readonly requests: RequestLogRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.loop = new WorkLoop({
      work: async () => {
        await this.requests.keepDays();
        return 'idle';
      },
      idleMs: KEEP_DAYS_EVERY_MS,
      onFailure: (error) => logger.warn({ reason: String(error) }, 'request_days_not_kept'),
    });
  }

  /** The first partition is there before the first signal is handled. */
  async onApplicationBootstrap(): Promise<void> {
    await this.requests.keepDays();
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    await this.storing;
  }

  add(requests: EndedRequest[]): void {
    if (this.waiting.length >= WAITING_MAX) return storedRequests.inc({ outcome: 'dropped' }, requests.length);
    this.waiting.push(requests);
    this.storing ??= this.storeAll().finally(() => (this.storing = null));
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const requests = this.waiting.splice(0).flat();
      try {
        await this.requests.insert(requests);
        storedRequests.inc({ outcome: 'stored' }, requests.length);
      } catch (error) {
        storedRequests.inc({ outcome: 'dropped' }, requests.length);
        this.logger.warn({ reason: String(error), requests: requests.length }, 'requests_not_stored');
      }
    }
  }
}
