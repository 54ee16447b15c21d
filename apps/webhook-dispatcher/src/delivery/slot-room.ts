/** How many more attempts may begin now: in all, for each receiver, for each host and for each account. */
export interface SlotRoom {
  slots: number;
  /** How many of the free slots may go to slow receivers together. */
  slowSlots: number;
  /** A receiver is a host and an account, joined by a space. */
  openReceivers: { receivers: string[]; rooms: number[]; areSlow: boolean[] };
  closedReceivers: string[];
  openHosts: { hosts: string[]; rooms: number[] };
  closedHosts: string[];
  openAccounts: { accountIds: string[]; rooms: number[] };
  closedAccounts: string[];
  /** The room of a receiver, of a host and of an account that are not listed above. */
  otherReceiverRoom: number;
  otherHostRoom: number;
  otherAccountRoom: number;
}
