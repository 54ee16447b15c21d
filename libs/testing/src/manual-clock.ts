import type { Clock } from '@kinora/service-kit';

interface Alarm {
  atMs: number;
  ring: () => void;
}

export class ManualClock implements Clock {
  private readonly alarms = new Set<Alarm>();
  private ms = 0;

  /** @param passes whether a sleep moves the clock to its end at once */
  constructor(private readonly passes = false) {}

  nowMs = (): number => this.ms;

  deadline = (ms: number): AbortSignal => {
    const deadline = new AbortController();
    this.set(ms, () => deadline.abort(new DOMException('The time is over.', 'TimeoutError')));
    return deadline.signal;
  };

  after = (ms: number, call: () => void): (() => void) => {
    const alarm = this.set(ms, call);
    return () => void this.alarms.delete(alarm);
  };

  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (this.passes) return this.advance(ms);
    await new Promise<void>((resolve, reject) => {
      const alarm = this.set(ms, resolve);
      signal?.addEventListener('abort', () => {
        this.alarms.delete(alarm);
        reject(signal.reason as Error);
      });
    });
  };

  /** How many deadlines and sleeps have not ended. */
  get waiting(): number {
    return this.alarms.size;
  }

  advance(ms: number): void {
    this.ms += ms;
    for (const alarm of this.alarms) {
      if (alarm.atMs > this.ms) continue;
      this.alarms.delete(alarm);
      alarm.ring();
    }
  }

  private set(ms: number, ring: () => void): Alarm {
    const alarm = { atMs: this.ms + ms, ring };
    this.alarms.add(alarm);
    return alarm;
  }
}
