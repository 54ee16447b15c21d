import { v7 as uuidv7 } from 'uuid';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import { useBilling } from './billing.fixtures';
import { ApplyStrikes } from '../src/use-cases/apply-strikes.use-case';

const billing = useBilling();

describe('apply strikes', () => {
  let applyStrikes: ApplyStrikes;
  let account_id: string;

  beforeAll(async () => {
    applyStrikes = billing.get(ApplyStrikes);
  });
  beforeEach(async () => {
    ({ account_id } = await billing.createAccount({ name: 'Ada' }));
  });

  const standing = (strikes: number): StrikeStanding => {
    const [strike_id, job_id] = [uuidv7(), uuidv7()];
    return { strike_id, account_id, job_id, strikes, window_days: 30, limit: 5 };
  };
  const suspend = (strikes: number, messageId = uuidv7()) => applyStrikes.suspend(standing(strikes), messageId);
  const reinstate = (strikes: number) => applyStrikes.reinstate(standing(strikes), uuidv7());
  const setStatus = (status: 'active' | 'paused' | 'suspended' | 'closed') =>
    billing.setStatus({ account_id, status, actor: 'Grace' });
  const status = async () => (await billing.show(account_id)).status;
  const actions = async () => (await billing.actionsOf(account_id)).map(({ action, actor }) => `${actor} ${action}`);

  it('suspends an account at the limit and not before, and records it once', async () => {
    await suspend(4);
    expect(await status()).toBe('active');

    const messageId = uuidv7();
    await Promise.all([suspend(5, messageId), suspend(5, messageId), suspend(6)]);

    expect(await billing.show(account_id)).toMatchObject({
      status: 'suspended',
      status_reason: expect.stringMatching(/^[56] strikes in 30 days$/) as string,
    });
    expect((await actions()).filter((action) => action === 'moderation suspended_for_strikes')).toHaveLength(1);
  });

  it("does not suspend again for a redelivered event after an operator's decision", async () => {
    const messageId = uuidv7();
    await suspend(5, messageId);
    await setStatus('active');

    await suspend(5, messageId);

    expect(await status()).toBe('active');
  });

  it('reverses a suspension when strikes were lifted below the limit', async () => {
    await suspend(5);

    await reinstate(5);
    expect(await status()).toBe('suspended');
    await reinstate(4);

    expect(await status()).toBe('active');
    expect((await actions())[0]).toBe('moderation reinstated_after_lifted_strike');
  });

  it('pauses an account again that an operator had paused before its suspension', async () => {
    await setStatus('paused');
    await suspend(5);
    expect(await status()).toBe('suspended');
    await reinstate(4);
    expect(await status()).toBe('paused');

    await suspend(5);
    await reinstate(4);
    expect(await status()).toBe('paused');

    await setStatus('active');
    await suspend(5);
    await reinstate(4);
    expect(await status()).toBe('active');
  });

  it.each([
    ['lifted below the limit', 'active', [recorded(5), lifted(4)]],
    ['lifted and still at the limit', 'suspended', [recorded(5), recorded(6), lifted(5)]],
    ['lifted below it and recorded again', 'suspended', [recorded(5), lifted(4), recorded(5)]],
  ])('applies the latest count in any order of events: %s', async (_what, expected, events) => {
    for (const order of permutationsOf(events.map((event, index) => ({ ...event, counted_at_us: index + 1 })))) {
      ({ account_id } = await billing.createAccount({ name: 'Ada' }));
      for (const { act, strikes, counted_at_us } of order)
        await applyStrikes[act]({ ...standing(strikes), counted_at_us }, uuidv7());

      expect(await status()).toBe(expected);
    }
  });

  it('does not change decisions of operators', async () => {
    await suspend(5);
    await setStatus('suspended');
    await reinstate(0);
    expect(await status()).toBe('suspended');

    await setStatus('closed');
    await suspend(5);
    expect(await status()).toBe('closed');
  });
});

function recorded(strikes: number) {
  return { act: 'suspend' as const, strikes };
}

function lifted(strikes: number) {
  return { act: 'reinstate' as const, strikes };
}

function permutationsOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutationsOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
