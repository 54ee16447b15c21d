/** How much more may begin now: in all, for each host and for each account. */
export interface SlotRoom {
  slots: number;
  /** Of the slots, how many for poor hosts together. */
  poorSlots: number;
  openHosts: { hosts: string[]; rooms: number[]; arePoor: boolean[] };
  closedHosts: string[];
  openAccounts: { accountIds: string[]; rooms: number[] };
  closedAccounts: string[];
  /** Of a host and of an account that are not named above. */
  otherHostRoom: number;
  otherAccountRoom: number;
}
