import { waitFor } from '@kinora/testing';
import { WorkLoop, WakeUp } from './work-loop';

const LONGER_THAN_A_TEST_MS = 60_000;

describe('work loop', () => {
  let loop: WorkLoop;
  let rounds: number;
  const failures: unknown[] = [];

  beforeEach(() => {
    rounds = 0;
    failures.length = 0;
  });

  afterEach(() => loop.stop());

  function start(
    work: () => Promise<'more' | 'idle'>,
    idleMs = LONGER_THAN_A_TEST_MS,
    begin: 'start' | 'startIdle' = 'start',
  ): void {
    loop = new WorkLoop({
      work: () => {
        rounds += 1;
        return work();
      },
      idleMs,
      onFailure: (error) => failures.push(error),
    });
    loop[begin]();
  }

  it('runs the next round at once while there is more work', async () => {
    start(async () => (rounds < 100 ? 'more' : 'idle'));
    await waitFor(() => rounds === 100);
  });

  it('polls again by itself after an idle round', async () => {
    start(async () => 'idle', 10);
    await waitFor(() => rounds >= 3);
  });

  it('begins with its pause where the first round is done', async () => {
    start(async () => 'idle', LONGER_THAN_A_TEST_MS, 'startIdle');
    await new Promise((resolve) => setImmediate(resolve));
    expect(rounds).toBe(0);
    loop.nudge();
    await waitFor(() => rounds === 1);
  });

  it('polls again at once when nudged, also for a nudge during a round', async () => {
    start(async () => {
      if (rounds === 1) loop.nudge();
      return 'idle';
    });
    await waitFor(() => rounds === 2);
    loop.nudge();
    await waitFor(() => rounds === 3);
  });

  it('pauses after a failure, and continues', async () => {
    start(async () => {
      if (rounds === 1) throw new Error('the database is away');
      return 'idle';
    });
    await waitFor(() => failures.length === 1);
    expect(rounds).toBe(1);
    loop.nudge();
    await waitFor(() => rounds === 2);
  });

  it('stops after the round under way, and begins no other', async () => {
    let finish: () => void = () => undefined;
    start(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return 'more';
    });
    const stopped = loop.stop();
    loop.nudge();
    finish();
    await stopped;
    expect(rounds).toBe(1);
  });
});

describe('wake-up', () => {
  it('calls every subscriber of the named loop and of no other one, each time', () => {
    const wakeUp = new WakeUp<'dispatch' | 'collect'>();
    const calls: string[] = [];
    wakeUp.subscribe('dispatch', () => calls.push('first'));
    wakeUp.subscribe('dispatch', () => calls.push('second'));
    wakeUp.subscribe('collect', () => calls.push('collect'));
    wakeUp.notify('dispatch');
    wakeUp.notify('dispatch');
    expect(calls).toEqual(['first', 'second', 'first', 'second']);
  });

  it('does nothing while no loop has subscribed', () => {
    expect(() => new WakeUp<'dispatch'>().notify('dispatch')).not.toThrow();
  });
});
