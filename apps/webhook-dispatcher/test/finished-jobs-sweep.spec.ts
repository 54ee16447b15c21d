import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import { PruneDeliveries } from '../src/use-cases/delete-content.use-case';
import { SweepFinishedJobs } from '../src/use-cases/sweep-finished-jobs.use-case';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher();

const SET_REACHED = statement('spec_set_reached', 'UPDATE sweep SET reached_at = $1');
const SET_HORIZON = statement('spec_set_horizon', 'UPDATE sweep SET forgotten_before = $1');
const READ_SWEEP = statement('spec_read_sweep', 'SELECT reached_at FROM sweep');
const DAY_MS = 24 * 60 * 60_000;

describe('the sweep of finished jobs', () => {
  beforeEach(() => dispatcher.answer(204));

  async function forgetAndSweepInFortyDays() {
    const then = Date.now() + 40 * DAY_MS;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(then);
    try {
      await dispatcher.get(PruneDeliveries).execute();
      await dispatcher.sweep();
    } finally {
      clock.mockRestore();
    }
  }

  afterEach(() => dispatcher.database.execute(SET_HORIZON, [null]));

  it('makes the delivery of an event that never arrived', async () => {
    const event = jobFinished(dispatcher.hookUrl());
    dispatcher.fakes.finished = [event];
    await dispatcher.sweep();
    expect(await dispatcher.attempted(event)).toMatchObject({ event_id: event.event_id, status: 'delivered' });
    expect(JSON.parse(dispatcher.requestsOf(event.event_id)[0]?.body.toString() ?? '')).toMatchObject({
      data: { object: event.job },
    });
  });

  it('reads on until it has seen all', async () => {
    const begin = Date.now();
    const many = Array.from({ length: 250 }, (_, index) => jobFinished(null, new Date(begin + index)));
    // One message carries fewer large jobs than a page may have.
    for (const { job } of many.slice(0, 40)) job.input.prompt = 'x'.repeat(94_000);
    const last = jobFinished(dispatcher.hookUrl(), new Date(begin + 250));
    dispatcher.fakes.finished = [...many, last];
    await dispatcher.sweep();
    expect(await dispatcher.attempted(last)).toMatchObject({ status: 'delivered' });
  });

  it('sees a job that became visible after later ones', async () => {
    const now = Date.now();
    const early = jobFinished(dispatcher.hookUrl(), new Date(now - 30_000));
    const later = jobFinished(null, new Date(now));
    dispatcher.fakes.finished = [later];
    await dispatcher.sweep();
    dispatcher.fakes.finished = [early, later];
    await dispatcher.sweep();
    expect(await dispatcher.attempted(early)).toMatchObject({ status: 'delivered' });
  });

  it('does not make again what retention has pruned', async () => {
    const { database } = dispatcher;
    const event = jobFinished(dispatcher.hookUrl());
    await dispatcher.publish(event);
    await waitFor(async () => (await dispatcher.deliveriesOf(event))[0]?.status === 'delivered');
    await database.execute(SET_REACHED, [event.job.completed_at]);
    dispatcher.fakes.finished = [event];

    await forgetAndSweepInFortyDays();

    expect(await dispatcher.deliveriesOf(event)).toEqual([]);
    expect(dispatcher.requestsOf(event.event_id)).toHaveLength(1);
  });

  it('does not go back to what a shorter retention had pruned', async () => {
    const { database } = dispatcher;
    const forgotten = jobFinished(dispatcher.hookUrl(), new Date(Date.now() - 3 * DAY_MS));
    const kept = jobFinished(dispatcher.hookUrl(), new Date(Date.now() - DAY_MS));
    await database.execute(SET_HORIZON, [new Date(Date.now() - 2 * DAY_MS)]);
    await database.execute(SET_REACHED, [new Date(Date.now() - 4 * DAY_MS)]);
    dispatcher.fakes.finished = [forgotten, kept];
    await dispatcher.sweep();
    expect(await dispatcher.attempted(kept)).toMatchObject({ status: 'delivered' });
    expect(await dispatcher.deliveriesOf(forgotten)).toEqual([]);
  });

  it('moves on in a pass that finds no job', async () => {
    const { database } = dispatcher;
    dispatcher.fakes.finished = [];
    await database.execute(SET_REACHED, [new Date(Date.now() - 4 * DAY_MS)]);
    const begunAt = Date.now();
    await dispatcher.sweep();
    const row = await database.findOne<{ reached_at: Date }>(READ_SWEEP);
    expect(row?.reached_at.getTime()).toBeGreaterThanOrEqual(begunAt);
  });

  it('is leased: a second sweep soon after the first sends no request', async () => {
    await dispatcher.sweep();
    const event = jobFinished(dispatcher.hookUrl());
    dispatcher.fakes.finished = [event];
    await dispatcher.get(SweepFinishedJobs).execute();
    expect(await dispatcher.deliveriesOf(event)).toEqual([]);
  });
});
