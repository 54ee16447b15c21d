/** How many more attempts may begin now: in all, for each host and for each account. */
export interface SlotRoom {
  slots: number;
  /** How many of the free slots may go to slow hosts together. */
  slowSlots: number;
  openHosts: { hosts: string[]; rooms: number[]; areSlow: boolean[] };
  closedHosts: string[];
  openAccounts: { accountIds: string[]; rooms: number[] };
  closedAccounts: string[];
  /** The room of a host and of an account that are not listed above. */
  otherHostRoom: number;
  otherAccountRoom: number;
}
