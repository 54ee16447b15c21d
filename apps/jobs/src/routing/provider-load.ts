import { Injectable } from '@nestjs/common';
import { type ComputeProvider, type InstanceSlots, ProviderCapacities, hasFewSlots } from '@kinora/compute';
import { WakeUp } from '@kinora/service-kit';
import { AttemptRepository } from '../attempt/attempt.repository';
import type { WokenLoop } from '../attempt/woken-loop';

const FRESH_MS = 500;

interface Counted {
  atMs: number;
  open: number;
  /** The accounts that have something under way; known where places are few. */
  accounts: Set<string>;
}

/**
 * How many tasks are under way at each provider. Counting them costs more the more there are, so it is done now and
 * then; in between the process adds what it sends itself. What other processes send meanwhile is seen by who opens the attempts.
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

  /** Brings up to date what is known of the provider, where it is old. */
  async refresh(provider: ComputeProvider): Promise<void> {
    await this.capacities.refresh(provider);
    const known = this.counts.get(provider.id);
    if (!known || performance.now() - known.atMs >= FRESH_MS) this.counts.set(provider.id, await this.count(provider));
  }

  /** How many more tasks of the account the provider may be given now, by what was counted last; none before the first count. */
  room(provider: ComputeProvider, accountId: string): number {
    const isNewcomer = this.counts.get(provider.id)?.accounts.has(accountId) === false;
    return Math.max(this.commonRoom(provider), isNewcomer ? Math.min(this.newcomerRoom(provider), 1) : 0);
  }

  /** How many tasks of accounts that have nothing there it may be given now. */
  newcomerRoom(provider: ComputeProvider): number {
    return Math.max(0, this.commonRoom(provider) + this.slots(provider).newcomers);
  }

  add(provider: ComputeProvider, accountId: string): void {
    const known = this.counts.get(provider.id);
    if (!known) return;
    known.open += 1;
    known.accounts.add(accountId);
  }

  /** A task is no longer under way there: its place can be given away before the next count. */
  leave(providerId: string): void {
    const known = this.counts.get(providerId);
    if (known) known.open = Math.max(known.open - 1, 0);
    this.wakeUp.notify('dispatch');
  }

  /** How many more tasks of whatever account it may be given now. */
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
