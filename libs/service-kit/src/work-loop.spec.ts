import { waitFor } from '@kinora/testing';
import { WorkLoop } from './work-loop';

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

  function start(work: () => Promise<'more' | 'idle'>, idleMs = LONGER_THAN_A_TEST_MS): void {
    loop = new WorkLoop({
      work: () => {
        rounds += 1;
        return work();
      },
      idleMs,
      onFailure: (error) => failures.push(error),
    });
    loop.start();
  }

  it('goes on at once while there is more', async () => {
    start(async () => (rounds < 100 ? 'more' : 'idle'));
    await waitFor(() => rounds === 100);
  });

  it('looks again by itself after it was idle', async () => {
    start(async () => 'idle', 10);
    await waitFor(() => rounds === 3);
  });

  it('looks again at once when nudged, also for a nudge that came during a round', async () => {
    start(async () => {
      if (rounds === 1) loop.nudge();
      return 'idle';
    });
    await waitFor(() => rounds === 2);
    loop.nudge();
    await waitFor(() => rounds === 3);
  });

  it('rests after a failure, and carries on', async () => {
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
