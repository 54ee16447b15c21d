import { ApiError } from '@kinora/contracts/shared/errors';
import { GatewayConfig } from '../gateway.config';
import { BodyBudget } from './body-budget';

const MIB = 1024 * 1024;
const ONE = { accountId: 'one' };
const OTHER = { accountId: 'other' };
const CALLBACK = { permission: 'attempt' };
const SMALL_BYTES = 128 * 1024;
const noRoom = ApiError.unavailable('Room for another request body');

/** 32 MiB for small bodies, 16 MiB for callbacks, 208 MiB for large ones; one holder gets half of each. */
const budgetOf = (bodiesMaxBytes = 256 * MIB): BodyBudget =>
  new BodyBudget(Object.assign(new GatewayConfig(), { bodiesMaxBytes }));

/** Fills the part of one holder with bodies of the given size. @returns the number of bytes */
function fill(budget: BodyBudget, sender: Parameters<BodyBudget['open']>[0], bytes: number): number {
  for (let held = 0; ; held += bytes) {
    try {
      budget.open(sender).charge(bytes);
    } catch {
      return held;
    }
  }
}

describe('the room for bodies', () => {
  it('is not reserved by declared lengths', () => {
    const budget = budgetOf();
    for (let opened = 0; opened < 1_000; opened++) budget.open(ONE, 43_000_000);
    expect(() => budget.open(ONE, 43_000_000).charge(43_000_000)).not.toThrow();
  });

  it('is refused for a declared length that does not fit, before the body is sent', () => {
    const budget = budgetOf();
    budget.open(ONE).charge(70 * MIB);
    expect(() => budget.open(ONE, 43_000_000)).toThrow(noRoom);
    expect(() => budget.open(OTHER, 43_000_000)).not.toThrow();
  });

  it('gives one account half of each share, and small bodies a share that large ones cannot take', () => {
    const budget = budgetOf();
    expect([fill(budget, ONE, MIB), fill(budget, OTHER, MIB)]).toEqual([104 * MIB, 104 * MIB]);
    expect(() => budget.open({ accountId: 'third' }).charge(MIB)).toThrow(noRoom);
    expect([fill(budget, ONE, SMALL_BYTES), fill(budget, OTHER, SMALL_BYTES)]).toEqual([16 * MIB, 16 * MIB]);
    expect(() => budget.open({ accountId: 'third' }).charge(1)).toThrow(noRoom);
  });

  it('has separate shares for callbacks and accounts, and gives one attempt half of the former', () => {
    const budget = budgetOf();
    expect([fill(budget, CALLBACK, MIB), fill(budget, { permission: 'another' }, MIB)]).toEqual([8 * MIB, 8 * MIB]);
    expect(() => budget.open(CALLBACK).charge(1)).toThrow(noRoom);
    expect([fill(budget, ONE, MIB), fill(budget, ONE, SMALL_BYTES)]).toEqual([104 * MIB, 16 * MIB]);
    expect(() => budget.open({ permission: 'third' }).charge(1)).toThrow(noRoom);
  });

  it('moves a body of unknown length to the share of large bodies once it is large', () => {
    const budget = budgetOf();
    const growing = budget.open(ONE);
    growing.charge(SMALL_BYTES);
    growing.charge(1);
    expect(fill(budget, ONE, SMALL_BYTES)).toBe(16 * MIB);
    expect(fill(budget, ONE, MIB)).toBe(103 * MIB);
    growing.release();
    expect(fill(budget, ONE, MIB)).toBe(MIB);
  });

  it('refuses a body that outgrows the small share while the large one is full, and keeps its charge', () => {
    const budget = budgetOf();
    fill(budget, ONE, MIB);
    const growing = budget.open(ONE);
    growing.charge(SMALL_BYTES);
    expect(() => growing.charge(1)).toThrow(noRoom);
    growing.release();
    expect(fill(budget, ONE, SMALL_BYTES)).toBe(16 * MIB);
  });

  it('admits one of two bodies that do not fit together and refuses the other without a wait', () => {
    const budget = budgetOf();
    const [first, second] = [budget.open(ONE), budget.open(ONE)];
    for (const room of [first, second]) room.charge(50 * MIB);
    expect(() => second.charge(5 * MIB)).toThrow(noRoom);
    second.release();
    expect(() => first.charge(43 * MIB)).not.toThrow();
  });

  it('is released once, and refuses charges after the release', () => {
    const budget = budgetOf();
    const room = budget.open(ONE);
    room.charge(MIB);
    room.release();
    room.release();
    expect(() => room.charge(MIB)).toThrow(noRoom);
    expect(fill(budget, ONE, MIB)).toBe(104 * MIB);
  });

  it('fits the largest legal body even at the smallest setting', () => {
    const budget = budgetOf(43_000_000);
    expect(() => budget.open(ONE, 43_000_000).charge(43_000_000)).not.toThrow();
    expect(() => budget.open(CALLBACK, MIB).charge(MIB)).not.toThrow();
    expect(() => budget.open(OTHER).charge(SMALL_BYTES)).not.toThrow();
  });
});
