import { Injectable } from '@nestjs/common';
import { AttemptRepository } from '../attempt/attempt.repository';
import type { ComputeProvider } from './compute-provider.port';

const FRESH_MS = 500;

/**
 * How many tasks are under way at each provider. Counting them costs more the more there are, so it is done now and
 * then; in between the process adds what it sends itself. What other processes send meanwhile is seen by who opens the attempts.
 */
@Injectable()
export class ProviderLoad {
  private readonly counts = new Map<string, { countedAtMs: number; open: number }>();

  constructor(private readonly attempts: AttemptRepository) {}

  /** How many more the provider may be given now. */
  async room(provider: ComputeProvider): Promise<number> {
    const known = this.counts.get(provider.id);
    if (known && performance.now() - known.countedAtMs < FRESH_MS) return provider.concurrency - known.open;
    const open = await this.attempts.countOpen(provider.id);
    this.counts.set(provider.id, { countedAtMs: performance.now(), open });
    return provider.concurrency - open;
  }

  /** As `room`, by what was counted last; nothing before the first count. */
  knownRoom(provider: ComputeProvider): number {
    const known = this.counts.get(provider.id);
    return known ? provider.concurrency - known.open : 0;
  }

  add(provider: ComputeProvider, tasks: number): void {
    const known = this.counts.get(provider.id);
    if (known) known.open += tasks;
  }

  /** A task is no longer under way there: its place can be given away before the next count. */
  leave(providerId: string): void {
    const known = this.counts.get(providerId);
    if (known) known.open = Math.max(known.open - 1, 0);
  }
}
