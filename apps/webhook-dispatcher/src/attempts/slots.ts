import type { AttemptResult } from '../delivery/delivery-attempt';
import type { SlotRoom } from '../delivery/due-delivery.repository';
import { HangingNames } from './hanging-names';

/** A bounded set: when it is full, the name that was added the longest time ago is dropped. */
export class RecentSet {
  private readonly names = new Set<string>();

  constructor(private readonly capacity: number) {}

  add(name: string): void {
    this.names.delete(name);
    this.names.add(name);
    const [oldest] = this.names;
    if (this.names.size > this.capacity && oldest !== undefined) this.names.delete(oldest);
  }

  delete(name: string): void {
    this.names.delete(name);
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.names.values();
  }
}

/** Enough for a receiver that answers, and a small part of all slots if it stops answering. */
const FAST_RECEIVER_SLOTS = 8;
/** The receiver has no history: if it hangs, it blocks at most this many slots. */
const NEW_RECEIVER_SLOTS = 2;
const SLOW_RECEIVER_SLOTS = 1;
const ACCOUNT_SLOTS = 16;
/** Limit of an account whose receivers hang under many names of one domain. */
const HANGING_ACCOUNT_SLOTS = 2;
/** The part of all slots that slow and dead receivers may hold together. */
const SLOW_SHARE = 1 / 8;
/** The part of all slots that one host may hold for all of its accounts: a platform that many of them use may stop answering. */
const HOST_SHARE = 1 / 8;
/**
 * An answer later than this makes a receiver slow. The status does not matter: a fast refusal does not hold a slot for
 * long.
 */
const FAST_WITHIN_MS = 2_000;
const FAST_RECEIVERS_REMEMBERED = 10_000;
/** Each claim passes all of them to the database as a parameter. */
const SLOW_RECEIVERS_REMEMBERED = 1_000;

export interface Occupant {
  host: string;
  account_id: string;
}

/** The deliveries of one account to one host. Accounts share a host, but not its history: each has paths of its own there. */
export function receiverOf({ host, account_id }: Occupant): string {
  return `${host} ${account_id}`;
}

/**
 * Limits this process's slots by receiver, host and account, so that receivers that hang never delay first attempts at others,
 * also not those of another account at the same host.
 */
export class Slots {
  private running = 0;
  private readonly byReceiver = new Map<string, number>();
  private readonly byHost = new Map<string, number>();
  private readonly byAccount = new Map<string, number>();
  private readonly fast = new RecentSet(FAST_RECEIVERS_REMEMBERED);
  private readonly slow = new RecentSet(SLOW_RECEIVERS_REMEMBERED);
  private readonly hangingNames = new HangingNames();

  constructor(private readonly total: number) {}

  get areTaken(): boolean {
    return this.running >= this.total;
  }

  room(): SlotRoom {
    const slowSlots = this.slowSlotsLeft();
    const receivers = [...new Set([...this.byReceiver.keys(), ...this.slow])].map((receiver) => {
      const isSlow = this.slow.has(receiver);
      const room = this.slotsOf(receiver) - (this.byReceiver.get(receiver) ?? 0);
      return { receiver, isSlow, room: isSlow ? Math.min(room, slowSlots) : room };
    });
    const hosts = [...this.byHost].map(([host, taken]) => ({ host, room: this.hostSlots - taken }));
    const accounts = [...new Set([...this.byAccount.keys(), ...this.hangingNames.limitedAccounts()])].map(
      (accountId) => ({
        accountId,
        room: this.slotsOfAccount(accountId) - (this.byAccount.get(accountId) ?? 0),
      }),
    );
    const openReceivers = receivers.filter(({ room }) => room > 0);
    const openHosts = hosts.filter(({ room }) => room > 0);
    const openAccounts = accounts.filter(({ room }) => room > 0);
    return {
      slots: this.total - this.running,
      slowSlots,
      openReceivers: {
        receivers: openReceivers.map(({ receiver }) => receiver),
        rooms: openReceivers.map(({ room }) => room),
        areSlow: openReceivers.map(({ isSlow }) => isSlow),
      },
      closedReceivers: receivers.filter(({ room }) => room <= 0).map(({ receiver }) => receiver),
      openHosts: { hosts: openHosts.map(({ host }) => host), rooms: openHosts.map(({ room }) => room) },
      closedHosts: hosts.filter(({ room }) => room <= 0).map(({ host }) => host),
      openAccounts: {
        accountIds: openAccounts.map(({ accountId }) => accountId),
        rooms: openAccounts.map(({ room }) => room),
      },
      closedAccounts: accounts.filter(({ room }) => room <= 0).map(({ accountId }) => accountId),
      otherReceiverRoom: NEW_RECEIVER_SLOTS,
      otherHostRoom: this.hostSlots,
      otherAccountRoom: ACCOUNT_SLOTS,
    };
  }

  hasRoomFor(occupant: Occupant): boolean {
    const { host, account_id } = occupant;
    const receiver = receiverOf(occupant);
    if (this.areTaken || (this.byAccount.get(account_id) ?? 0) >= this.slotsOfAccount(account_id)) return false;
    if ((this.byHost.get(host) ?? 0) >= this.hostSlots) return false;
    const hasReceiverRoom = (this.byReceiver.get(receiver) ?? 0) < this.slotsOf(receiver);
    return hasReceiverRoom && (!this.slow.has(receiver) || this.slowSlotsLeft() > 0);
  }

  take(occupant: Occupant): void {
    this.addTaken(occupant, 1);
  }

  free(occupant: Occupant): void {
    this.addTaken(occupant, -1);
  }

  /** Records how fast a receiver answered: one fast answer ends its limit. */
  recordResult(occupant: Occupant, { response_status, latency_ms }: AttemptResult): void {
    const receiver = receiverOf(occupant);
    const isFast = response_status !== null && latency_ms <= FAST_WITHIN_MS;
    const [matching, other] = isFast ? [this.fast, this.slow] : [this.slow, this.fast];
    matching.add(receiver);
    other.delete(receiver);
    this.hangingNames.note(occupant, isFast);
  }

  private slotsOfAccount(accountId: string): number {
    return this.hangingNames.isLimited(accountId) ? HANGING_ACCOUNT_SLOTS : ACCOUNT_SLOTS;
  }

  private slotsOf(receiver: string): number {
    if (this.slow.has(receiver)) return SLOW_RECEIVER_SLOTS;
    return this.fast.has(receiver) ? FAST_RECEIVER_SLOTS : NEW_RECEIVER_SLOTS;
  }

  private get hostSlots(): number {
    return Math.max(FAST_RECEIVER_SLOTS, Math.ceil(this.total * HOST_SHARE));
  }

  private addTaken(occupant: Occupant, change: 1 | -1): void {
    this.running += change;
    count(this.byReceiver, receiverOf(occupant), change);
    count(this.byHost, occupant.host, change);
    count(this.byAccount, occupant.account_id, change);
  }

  private slowSlotsLeft(): number {
    const taken = [...this.byReceiver].reduce((sum, [each, slots]) => sum + (this.slow.has(each) ? slots : 0), 0);
    return Math.max(0, Math.ceil(this.total * SLOW_SHARE) - taken);
  }
}

function count(counts: Map<string, number>, name: string, change: number): void {
  const total = (counts.get(name) ?? 0) + change;
  if (total === 0) counts.delete(name);
  else counts.set(name, total);
}
