import { type Occupant, receiverOf, RecentSet, Slots } from './slots';

describe('the set of recently added names', () => {
  it('holds as many as there is room for, and drops the one that was added the longest time ago', () => {
    const names = new RecentSet(3);
    for (const name of ['a', 'b', 'c', 'a', 'd']) names.add(name);
    expect([...names]).toEqual(['c', 'a', 'd']);
    expect(names.has('b')).toBe(false);
  });

  it('is smaller after a name was deleted', () => {
    const names = new RecentSet(2);
    for (const name of ['a', 'b']) names.add(name);
    names.delete('a');
    names.add('c');
    expect([...names]).toEqual(['b', 'c']);
  });
});

describe('slots', () => {
  const fast = { response_status: 500, error: 'not_acknowledged', latency_ms: 30 } as const;
  const silent = { response_status: null, error: 'timeout', latency_ms: 10_000 } as const;

  function roomOf(slots: Slots, occupant: { host: string; account_id: string }): number {
    const { openReceivers, closedReceivers, otherReceiverRoom } = slots.room();
    const receiver = receiverOf(occupant);
    if (closedReceivers.includes(receiver)) return 0;
    return openReceivers.rooms[openReceivers.receivers.indexOf(receiver)] ?? otherReceiverRoom;
  }

  it('are two for a new receiver, more for one that answers, and one for one that does not', () => {
    const slots = new Slots(64);
    const receiver = { host: 'a:443', account_id: 'ada' };
    expect(roomOf(slots, receiver)).toBe(2);
    slots.take(receiver);
    expect(roomOf(slots, receiver)).toBe(1);
    slots.recordResult(receiver, fast);
    expect(roomOf(slots, receiver)).toBe(7);
    slots.recordResult(receiver, silent);
    expect(roomOf(slots, receiver)).toBe(0);
    slots.free(receiver);
    expect(roomOf(slots, receiver)).toBe(1);
    slots.recordResult(receiver, fast);
    slots.take(receiver);
    expect(roomOf(slots, receiver)).toBe(7);
  });

  it("are each account's own at a host, whatever those of another account do there", () => {
    const slots = new Slots(256);
    const [ada, bob] = ['ada', 'bob'].map((account_id) => ({ host: 'a:443', account_id })) as [Occupant, Occupant];
    slots.recordResult(bob, fast);
    slots.recordResult(ada, silent);
    for (const each of [ada, bob]) slots.take(each);
    expect([slots.hasRoomFor(ada), slots.hasRoomFor(bob), roomOf(slots, bob)]).toEqual([false, true, 7]);
    // All accounts of a host together hold an eighth.
    for (let index = 0; index < 30; index++) slots.take({ host: 'a:443', account_id: `account-${index}` });
    expect([slots.hasRoomFor(bob), slots.room().closedHosts]).toEqual([false, ['a:443']]);
  });

  it('are refused to a first attempt if its receiver has no free slot', () => {
    const slots = new Slots(64);
    const takeAll = (host: string): number => {
      let taken = 0;
      for (; slots.hasRoomFor({ host, account_id: 'ada' }); taken++) slots.take({ host, account_id: 'ada' });
      return taken;
    };
    slots.recordResult({ host: 'quick:443', account_id: 'ada' }, fast);
    slots.recordResult({ host: 'poor:443', account_id: 'ada' }, silent);
    expect(['new:443', 'quick:443', 'poor:443'].map(takeAll)).toEqual([2, 8, 1]);
  });

  it('are refused to a first attempt if the account, the slow hosts or all slots are full', () => {
    const slots = new Slots(24);
    for (let index = 0; index < 16; index++) slots.take({ host: `host-${index}:443`, account_id: 'ada' });
    expect(slots.hasRoomFor({ host: 'other:443', account_id: 'ada' })).toBe(false);
    expect(slots.hasRoomFor({ host: 'other:443', account_id: 'bob' })).toBe(true);
    for (const host of ['host-0:443', 'host-1:443', 'host-2:443'])
      slots.recordResult({ host, account_id: 'ada' }, silent);
    slots.recordResult({ host: 'other:443', account_id: 'bob' }, silent);
    expect(slots.hasRoomFor({ host: 'other:443', account_id: 'bob' })).toBe(false);
    for (let index = 0; index < 8; index++) slots.take({ host: `more-${index}:443`, account_id: 'bob' });
    expect(slots.hasRoomFor({ host: 'last:443', account_id: 'eve' })).toBe(false);
  });

  it('are an eighth of all slots for the slow receivers together', () => {
    const slots = new Slots(16);
    const hosts = ['a:443', 'b:443', 'c:443'];
    for (const host of hosts) slots.recordResult({ host, account_id: 'ada' }, silent);
    expect(slots.room().slowSlots).toBe(2);
    for (const host of hosts.slice(0, 2)) slots.take({ host, account_id: 'ada' });
    const closedReceivers = hosts.map((host) => `${host} ada`);
    expect(slots.room()).toMatchObject({ slots: 14, slowSlots: 0, closedReceivers });
  });

  it('are sixteen for an account, for any number of hosts', () => {
    const slots = new Slots(64);
    for (let index = 0; index < 16; index++) slots.take({ host: `host-${index}:443`, account_id: 'ada' });
    expect(slots.room().closedAccounts).toEqual(['ada']);
    slots.free({ host: 'host-3:443', account_id: 'ada' });
    expect(slots.room()).toMatchObject({ closedAccounts: [], openAccounts: { accountIds: ['ada'], rooms: [1] } });
  });

  it('are two for an account whose receivers hang under many names of one domain, until one of them answers', () => {
    const slots = new Slots(64);
    const name = (index: number) => ({ host: `w${index}.hangs.co.uk:443`, account_id: 'ada' });
    for (const index of [1, 2]) slots.recordResult(name(index), silent);
    expect(slots.hasRoomFor(name(9))).toBe(true);
    expect(slots.room().openAccounts.accountIds).toEqual([]);

    slots.recordResult(name(3), silent);

    expect(slots.room().openAccounts).toEqual({ accountIds: ['ada'], rooms: [2] });
    for (const index of [4, 5]) slots.take(name(index));
    expect([slots.hasRoomFor(name(6)), slots.room().closedAccounts]).toEqual([false, ['ada']]);
    // Two others stay unlimited: another account with a receiver there, and one with a single hanging name in each
    // domain.
    expect(slots.hasRoomFor({ ...name(6), account_id: 'bob' })).toBe(true);
    for (const host of ['a.one.org:443', 'b.two.org:443', 'c.six.org:443'])
      slots.recordResult({ host, account_id: 'eve' }, silent);
    expect(slots.room().otherAccountRoom).toBe(16);
    expect([...slots.room().openAccounts.accountIds, ...slots.room().closedAccounts]).toEqual(['ada']);

    slots.recordResult(name(7), fast);
    expect(slots.room().openAccounts).toEqual({ accountIds: ['ada'], rooms: [14] });
  });
});
