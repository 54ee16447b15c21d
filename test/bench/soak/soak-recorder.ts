import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '../../../deploy/local/stack-file';
import { readMemory } from '../idle-memory';
import { percentile } from '../load';
import type { Receivers } from '../webhooks/receivers';
import { OutboxAges } from './outbox-ages';
import { readGauge } from './capacity';
import type { SoakWindow } from './soak-window';

const QUEUED_AGE = 'kinora_jobs_oldest_queued_age_seconds';
const OVERDUE = 'kinora_webhook_overdue_seconds';
const ARRIVED_WITHIN_MS = 60_000;
/** Repeated errors are recorded once. */
const MOST_PROBLEMS = 10;

export interface Recording {
  windowMs: number;
  count: number;
  onWindow: (window: SoakWindow) => void;
}

/** Records the events of the run, window by window. */
export class SoakRecorder {
  readonly problems: string[] = [];
  private createsMs: number[] = [];
  private errors = 0;
  private arrived = 0;
  private readonly stopping = new AbortController();

  private constructor(
    private readonly stack: Stack,
    private readonly receivers: Receivers,
    private readonly outbox: OutboxAges,
  ) {}

  static async open(stack: Stack, receivers: Receivers): Promise<SoakRecorder> {
    return new SoakRecorder(stack, receivers, await OutboxAges.watch(stack.database_url));
  }

  noteCreate(latencyMs: number): void {
    this.createsMs.push(latencyMs);
  }

  noteError(error: unknown): void {
    this.errors += 1;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(String(error));
  }

  async record({ windowMs, count, onWindow }: Recording): Promise<SoakWindow[]> {
    const begunAt = performance.now();
    const windows: SoakWindow[] = [];
    for (let number = 1; number <= count; number++) {
      const waitMs = Math.max(0, begunAt + number * windowMs - performance.now());
      await delay(waitMs, undefined, { signal: this.stopping.signal });
      const window = await this.takeWindow((number * windowMs) / 60_000);
      onWindow(window);
      windows.push(window);
    }
    return windows;
  }

  /** Waits for the webhooks in flight. @returns the number of jobs whose webhook did not arrive. */
  async countMissing(accepted: number): Promise<number> {
    const late = await this.receivers.takeUntil(accepted - this.arrived, { timeoutMs: ARRIVED_WITHIN_MS });
    return Math.max(0, accepted - this.arrived - late.length);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.outbox.stop();
  }

  private async takeWindow(minutes: number): Promise<SoakWindow> {
    const [createsMs, errors] = [this.createsMs.sort(ascending), this.errors];
    [this.createsMs, this.errors] = [[], 0];
    const arrivals = await this.receivers.take();
    this.arrived += arrivals.length;
    const webhooksMs = arrivals.map(({ arrivedAtMs, completedAtMs }) => arrivedAtMs - completedAtMs).sort(ascending);
    return {
      ...{ minutes, accepted: createsMs.length, errors },
      ...{ p50Ms: percentile(createsMs, 0.5), p99Ms: percentile(createsMs, 0.99) },
      ...{ webhookP50Ms: percentile(webhooksMs, 0.5), webhookP99Ms: percentile(webhooksMs, 0.99) },
      outboxP99Ms: percentile(this.outbox.take().sort(ascending), 0.99),
      queuedSeconds: await readGauge(QUEUED_AGE, this.stack),
      overdueSeconds: await readGauge(OVERDUE, this.stack),
      memoryMb: await readMemory(this.stack.processes),
    };
  }
}

function ascending(one: number, other: number): number {
  return one - other;
}
