import type { AttemptResult } from '../delivery/attempt-result';
import { HangingNames } from './hanging-names';
import { RecentSet } from './recent-set';
import type { SlotRoom } from '../delivery/slot-room';

/** Enough for a receiver that answers, and little of what there is when it stops answering. */
const QUICK_HOST_SLOTS = 8;
/** Nothing is known of it as yet: if it hangs, this is what it takes away. */
const NEW_HOST_SLOTS = 2;
const POOR_HOST_SLOTS = 1;
const ACCOUNT_SLOTS = 16;
/** Of an account whose receivers hang under many names of one domain. */
const HANGING_ACCOUNT_SLOTS = 2;
/** The part of all slots that slow and dead hosts may hold together. */
const POOR_SHARE = 1 / 8;
/** An answer later than this makes a host a poor one. What it says does not: a quick refusal holds no slot for long. */
const QUICK_WITHIN_MS = 2_000;
const QUICK_HOSTS_REMEMBERED = 10_000;
/** All of them are named to the database at each look. */
const POOR_HOSTS_REMEMBERED = 1_000;

export interface Occupant {
  host: string;
  account_id: string;
}

/** Shares this process's slots out, so that receivers that hang never delay the first attempts at others. */
export class Slots {
  private underWay = 0;
  private readonly byHost = new Map<string, number>();
  private readonly byAccount = new Map<string, number>();
  private readonly quick = new RecentSet(QUICK_HOSTS_REMEMBERED);
  private readonly poor = new RecentSet(POOR_HOSTS_REMEMBERED);
  private readonly hangingNames = new HangingNames();

  constructor(private readonly total: number) {}

  get areTaken(): boolean {
    return this.underWay >= this.total;
  }

  room(): SlotRoom {
    const poorSlots = this.poorSlotsLeft();
    const hosts = [...new Set([...this.byHost.keys(), ...this.poor])].map((host) => {
      const isPoor = this.poor.has(host);
      const room = this.slotsOf(host) - (this.byHost.get(host) ?? 0);
      return { host, isPoor, room: isPoor ? Math.min(room, poorSlots) : room };
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
      slots: this.total - this.underWay,
      poorSlots,
      openHosts: {
        hosts: openHosts.map(({ host }) => host),
        rooms: openHosts.map(({ room }) => room),
        arePoor: openHosts.map(({ isPoor }) => isPoor),
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
    return hasHostRoom && (!this.poor.has(host) || this.poorSlotsLeft() > 0);
  }

  take({ host, account_id }: Occupant): void {
    this.underWay += 1;
    count(this.byHost, host, 1);
    count(this.byAccount, account_id, 1);
  }

  free({ host, account_id }: Occupant): void {
    this.underWay -= 1;
    count(this.byHost, host, -1);
    count(this.byAccount, account_id, -1);
  }

  /** Remembers how a host behaves: one good answer brings it back. */
  judge(occupant: Occupant, { response_status, latency_ms }: AttemptResult): void {
    const { host } = occupant;
    const isQuick = response_status !== null && latency_ms <= QUICK_WITHIN_MS;
    const [standing, other] = isQuick ? [this.quick, this.poor] : [this.poor, this.quick];
    standing.add(host);
    other.delete(host);
    this.hangingNames.note(occupant, isQuick);
  }

  private slotsOfAccount(accountId: string): number {
    return this.hangingNames.isLimited(accountId) ? HANGING_ACCOUNT_SLOTS : ACCOUNT_SLOTS;
  }

  private slotsOf(host: string): number {
    if (this.poor.has(host)) return POOR_HOST_SLOTS;
    return this.quick.has(host) ? QUICK_HOST_SLOTS : NEW_HOST_SLOTS;
  }

  private poorSlotsLeft(): number {
    const taken = [...this.byHost].reduce((sum, [host, slots]) => sum + (this.poor.has(host) ? slots : 0), 0);
    return Math.max(0, Math.ceil(this.total * POOR_SHARE) - taken);
  }
}

function count(counts: Map<string, number>, name: string, change: number): void {
  const total = (counts.get(name) ?? 0) + change;
  if (total === 0) counts.delete(name);
  else counts.set(name, total);
}
