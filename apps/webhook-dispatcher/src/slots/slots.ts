import type { AttemptResult } from '../delivery/attempt-result';
import { HangingNames } from './hanging-names';
import { RecentSet } from './recent-set';
import type { SlotRoom } from '../delivery/slot-room';

/** Enough for a receiver that answers, and a small part of all slots if it stops answering. */
const FAST_HOST_SLOTS = 8;
/** The host has no history: if it hangs, it blocks at most this many slots. */
const NEW_HOST_SLOTS = 2;
const SLOW_HOST_SLOTS = 1;
const ACCOUNT_SLOTS = 16;
/** Limit of an account whose receivers hang under many names of one domain. */
const HANGING_ACCOUNT_SLOTS = 2;
/** The part of all slots that slow and dead hosts may hold together. */
const SLOW_SHARE = 1 / 8;
/**
 * An answer later than this makes a host slow. The status does not matter: a fast refusal does not hold a slot for
 * long.
 */
const FAST_WITHIN_MS = 2_000;
const FAST_HOSTS_REMEMBERED = 10_000;
/** Each claim passes all of them to the database as a parameter. */
const SLOW_HOSTS_REMEMBERED = 1_000;

export interface Occupant {
  host: string;
  account_id: string;
}

/**
 * Limits this process's slots by host and account, so that receivers that hang never delay first attempts at others.
 */
export class Slots {
  private running = 0;
  private readonly byHost = new Map<string, number>();
  private readonly byAccount = new Map<string, number>();
  private readonly fast = new RecentSet(FAST_HOSTS_REMEMBERED);
  private readonly slow = new RecentSet(SLOW_HOSTS_REMEMBERED);
  private readonly hangingNames = new HangingNames();

  constructor(private readonly total: number) {}

  get areTaken(): boolean {
    return this.running >= this.total;
  }

  room(): SlotRoom {
    const slowSlots = this.slowSlotsLeft();
    const hosts = [...new Set([...this.byHost.keys(), ...this.slow])].map((host) => {
      const isSlow = this.slow.has(host);
      const room = this.slotsOf(host) - (this.byHost.get(host) ?? 0);
      return { host, isSlow, room: isSlow ? Math.min(room, slowSlots) : room };
    });
    const accounts = [...new Set([...this.byAccount.keys(), ...this.hangingNames.limitedAccounts()])].map(
      (accountId) => ({
        accountId,
        room: this.slotsOfAccount(accountId) - (this.byAccount.get(accountId) ?? 0),
      }),
    );
    const openHosts = hosts.filter(({ room }) => room > 0);
    const openAccounts = accounts.filter(({ room }) => room > 0);
    return {
      slots: this.total - this.running,
      slowSlots,
      openHosts: {
        hosts: openHosts.map(({ host }) => host),
        rooms: openHosts.map(({ room }) => room),
        areSlow: openHosts.map(({ isSlow }) => isSlow),
      },
      closedHosts: hosts.filter(({ room }) => room <= 0).map(({ host }) => host),
      openAccounts: {
        accountIds: openAccounts.map(({ accountId }) => accountId),
        rooms: openAccounts.map(({ room }) => room),
      },
      closedAccounts: accounts.filter(({ room }) => room <= 0).map(({ accountId }) => accountId),
      otherHostRoom: NEW_HOST_SLOTS,
      otherAccountRoom: ACCOUNT_SLOTS,
    };
  }

  hasRoomFor({ host, account_id }: Occupant): boolean {
    if (this.areTaken || (this.byAccount.get(account_id) ?? 0) >= this.slotsOfAccount(account_id)) return false;
    const hasHostRoom = (this.byHost.get(host) ?? 0) < this.slotsOf(host);
    return hasHostRoom && (!this.slow.has(host) || this.slowSlotsLeft() > 0);
  }

  take({ host, account_id }: Occupant): void {
    this.running += 1;
    count(this.byHost, host, 1);
    count(this.byAccount, account_id, 1);
  }

  free({ host, account_id }: Occupant): void {
    this.running -= 1;
    count(this.byHost, host, -1);
    count(this.byAccount, account_id, -1);
  }

  /** Records how fast a host answered: one fast answer ends its limit. */
  recordResult(occupant: Occupant, { response_status, latency_ms }: AttemptResult): void {
    const { host } = occupant;
    const isFast = response_status !== null && latency_ms <= FAST_WITHIN_MS;
    const [matching, other] = isFast ? [this.fast, this.slow] : [this.slow, this.fast];
    matching.add(host);
    other.delete(host);
    this.hangingNames.note(occupant, isFast);
  }

  private slotsOfAccount(accountId: string): number {
    return this.hangingNames.isLimited(accountId) ? HANGING_ACCOUNT_SLOTS : ACCOUNT_SLOTS;
  }

  private slotsOf(host: string): number {
    if (this.slow.has(host)) return SLOW_HOST_SLOTS;
    return this.fast.has(host) ? FAST_HOST_SLOTS : NEW_HOST_SLOTS;
  }

  private slowSlotsLeft(): number {
    const taken = [...this.byHost].reduce((sum, [host, slots]) => sum + (this.slow.has(host) ? slots : 0), 0);
    return Math.max(0, Math.ceil(this.total * SLOW_SHARE) - taken);
  }
}

function count(counts: Map<string, number>, name: string, change: number): void {
  const total = (counts.get(name) ?? 0) + change;
  if (total === 0) counts.delete(name);
  else counts.set(name, total);
}
