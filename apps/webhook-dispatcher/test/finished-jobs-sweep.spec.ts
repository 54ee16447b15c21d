import { EventPublisher } from '@kinora/bus';
import { type JobFinished, jobsEvents } from '@kinora/contracts/jobs/jobs.events';
import type { DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import { statement } from '@kinora/database';
import { type TestService, waitFor } from '@kinora/testing';
import { PruneDeliveries } from '../src/use-cases/delete-content.use-case';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { SweepFinishedJobs } from '../src/use-cases/sweep-finished-jobs.use-case';
import { type TestEnvironment, jobFinished, openTestEnvironment } from './webhook-dispatcher.fixtures';

const MAKE_SWEEP_DUE = statement('spec_make_sweep_due', "UPDATE sweep SET begun_at = '-infinity'");
const SET_REACHED = statement('spec_set_reached', 'UPDATE sweep SET reached_at = $1');
const SET_HORIZON = statement('spec_set_horizon', 'UPDATE sweep SET forgotten_before = $1');
const READ_SWEEP = statement('spec_read_sweep', 'SELECT reached_at FROM sweep');
const IS_SWEPT = statement('spec_is_swept', 'SELECT FROM sweep WHERE reached_at >= begun_at');
const DAY_MS = 24 * 60 * 60_000;

describe('the sweep of finished jobs', () => {
  let environment: TestEnvironment;
  let dispatcher: TestService;

  beforeAll(async () => {
    environment = await openTestEnvironment();
    dispatcher = await environment.startDispatcher();
  });
  afterAll(async () => {
    await dispatcher.close();
    await environment.close();
  });
  beforeEach(() => {
    environment.receiver.answer = (_request, response) => response.writeHead(204).end();
  });

  const hookUrl = () => `https://127.0.0.1:${environment.receiver.port}/hook?to=me`;
  const requestsOf = ({ event_id }: JobFinished) =>
    environment.receiver.requests.filter(({ body }) => body.includes(event_id));
  const deliveriesOf = async ({ job }: JobFinished): Promise<DeliveryDetails[]> =>
    (await dispatcher.get(ListDeliveries).execute({ job_id: job.id })).data;

  async function attempted(event: JobFinished): Promise<DeliveryDetails> {
    return await waitFor(async () => {
      const [delivery] = await deliveriesOf(event);
      return delivery && delivery.attempts > 0 ? delivery : null;
    });
  }

  async function forgetAndSweepInFortyDays() {
    const then = Date.now() + 40 * DAY_MS;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(then);
    try {
      await dispatcher.get(PruneDeliveries).execute();
      await sweep();
    } finally {
      clock.mockRestore();
    }
  }

  async function sweep() {
    await environment.database.database.execute(MAKE_SWEEP_DUE);
    await dispatcher.get(SweepFinishedJobs).execute();
    // The dispatcher's own loop may have taken the lease in between: then its pass is the one that the test waits for.
    await waitFor(() => environment.database.database.findOne(IS_SWEPT));
  }

  afterEach(() => environment.database.database.execute(SET_HORIZON, [null]));

  it('makes the delivery of an event that never arrived', async () => {
    const event = jobFinished(hookUrl());
    environment.fakes.finished = [event];
    await sweep();
    expect(await attempted(event)).toMatchObject({ event_id: event.event_id, status: 'delivered' });
    expect(JSON.parse(requestsOf(event)[0]?.body.toString() ?? '')).toMatchObject({ data: { object: event.job } });
  });

  it('reads on until it has seen all', async () => {
    const begin = Date.now();
    const many = Array.from({ length: 250 }, (_, index) => jobFinished(null, new Date(begin + index)));
    // One message carries fewer large jobs than a page may have.
    for (const { job } of many.slice(0, 40)) job.input.prompt = 'x'.repeat(94_000);
    const last = jobFinished(hookUrl(), new Date(begin + 250));
    environment.fakes.finished = [...many, last];
    await sweep();
    expect(await attempted(last)).toMatchObject({ status: 'delivered' });
  });

  it('sees a job that became visible after later ones', async () => {
    const now = Date.now();
    const early = jobFinished(hookUrl(), new Date(now - 30_000));
    const later = jobFinished(null, new Date(now));
    environment.fakes.finished = [later];
    await sweep();
    environment.fakes.finished = [early, later];
    await sweep();
    expect(await attempted(early)).toMatchObject({ status: 'delivered' });
  });

  it('does not make again what retention has pruned', async () => {
    const { database } = environment.database;
    const event = jobFinished(hookUrl());
    await dispatcher.get(EventPublisher).publish(jobsEvents.finished.subject, event, event.event_id);
    await waitFor(async () => (await deliveriesOf(event))[0]?.status === 'delivered');
    await database.execute(SET_REACHED, [event.job.completed_at]);
    environment.fakes.finished = [event];

    await forgetAndSweepInFortyDays();

    expect(await deliveriesOf(event)).toEqual([]);
    expect(requestsOf(event)).toHaveLength(1);
  });

  it('does not go back to what a shorter retention had pruned', async () => {
    const { database } = environment.database;
    const forgotten = jobFinished(hookUrl(), new Date(Date.now() - 3 * DAY_MS));
    const kept = jobFinished(hookUrl(), new Date(Date.now() - DAY_MS));
    await database.execute(SET_HORIZON, [new Date(Date.now() - 2 * DAY_MS)]);
    await database.execute(SET_REACHED, [new Date(Date.now() - 4 * DAY_MS)]);
    environment.fakes.finished = [forgotten, kept];
    await sweep();
    expect(await attempted(kept)).toMatchObject({ status: 'delivered' });
    expect(await deliveriesOf(forgotten)).toEqual([]);
  });

  it('moves on in a pass that finds no job', async () => {
    const { database } = environment.database;
    environment.fakes.finished = [];
    await database.execute(SET_REACHED, [new Date(Date.now() - 4 * DAY_MS)]);
    const begunAt = Date.now();
    await sweep();
    const row = await database.findOne<{ reached_at: Date }>(READ_SWEEP);
    expect(row?.reached_at.getTime()).toBeGreaterThanOrEqual(begunAt);
  });

  it('is leased: a second sweep soon after the first sends no request', async () => {
    await sweep();
    const event = jobFinished(hookUrl());
    environment.fakes.finished = [event];
    await dispatcher.get(SweepFinishedJobs).execute();
    expect(await deliveriesOf(event)).toEqual([]);
  });
});
