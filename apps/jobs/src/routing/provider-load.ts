import { Injectable } from '@nestjs/common';
import { type ComputeProvider, type InstanceSlots, ProviderCapacities, hasFewSlots } from '@kinora/compute';
import { WakeUp } from '@kinora/service-kit';
import { AttemptRepository } from '../attempt/attempt.repository';
import type { WokenLoop } from '../attempt/progress-recorder';

const FRESH_MS = 500;

interface Counted {
  atMs: number;
  open: number;
  /** The accounts with tasks there; known only if places are few. */
  accounts: Set<string>;
}

/**
 * The number of tasks in progress at each provider. A count costs more the more tasks there are, so it is cached for
 * `FRESH_MS`, and the process adds its own submissions in between. The transaction that opens attempts counts the submissions
 * of other processes.
 */
@Injectable()
export class ProviderLoad {
  private readonly counts = new Map<string, Counted>();

  constructor(
    private readonly attempts: AttemptRepository,
    private readonly capacities: ProviderCapacities,
    private readonly wakeUp: WakeUp<WokenLoop>,
  ) {}

  slots(provider: ComputeProvider): InstanceSlots {
    return this.capacities.slots(provider);
  }

  /** Counts again if the cached count is stale. */
  async refresh(provider: ComputeProvider): Promise<void> {
    await this.capacities.refresh(provider);
    const known = this.counts.get(provider.id);
    if (!known || performance.now() - known.atMs >= FRESH_MS) this.counts.set(provider.id, await this.count(provider));
  }

  /** How many more tasks of the account the provider may get now, by the last count; none before the first count. */
  room(provider: ComputeProvider, accountId: string): number {
    const isNewcomer = this.counts.get(provider.id)?.accounts.has(accountId) === false;
    return Math.max(this.commonRoom(provider), isNewcomer ? Math.min(this.newcomerRoom(provider), 1) : 0);
  }

  /** How many tasks it may get now of accounts without tasks there. */
  newcomerRoom(provider: ComputeProvider): number {
    return Math.max(0, this.commonRoom(provider) + this.slots(provider).newcomers);
  }

  add(provider: ComputeProvider, accountId: string): void {
    const known = this.counts.get(provider.id);
    if (!known) return;
    known.open += 1;
    known.accounts.add(accountId);
  }

  /** A task has left its place: the place can be reused before the next count. */
  leave(providerId: string): void {
    const known = this.counts.get(providerId);
    if (known) known.open = Math.max(known.open - 1, 0);
    this.wakeUp.notify('dispatch');
  }

  /** An instance may get tasks again. */
  reopen(): void {
    this.wakeUp.notify('dispatch');
  }

  /** How many more tasks of any account it may get now. */
  commonRoom(provider: ComputeProvider): number {
    const known = this.counts.get(provider.id);
    return known ? this.slots(provider).common - known.open : 0;
  }

  private async count(provider: ComputeProvider): Promise<Counted> {
    const atMs = performance.now();
    if (!hasFewSlots(this.slots(provider)))
      return { atMs, open: await this.attempts.countOpen(provider.id), accounts: new Set() };
    const byAccount = await this.attempts.countOpenByAccount(provider.id);
    const open = byAccount.reduce((sum, { count }) => sum + count, 0);
    return { atMs, open, accounts: new Set(byAccount.map(({ account_id }) => account_id)) };
  }
}
