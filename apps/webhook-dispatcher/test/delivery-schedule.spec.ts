import { statement } from '@kinora/database';
import { ManualClock, type ReceiverAnswer, waitFor } from '@kinora/testing';
import Stripe from 'stripe';
import { WakeUp } from '@kinora/service-kit';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const clock = new ManualClock();
const dispatcher = useDispatcher(2, clock);

const MAKE_DUE = statement('spec_make_due', 'UPDATE delivery SET next_attempt_at = clock_timestamp() WHERE id = $1');
const WAITS = statement(
  'spec_waits',
  `SELECT extract(epoch FROM next_attempt_at - ended_at)::float8 AS seconds
   FROM delivery JOIN attempt ON delivery_id = id AND number = attempts WHERE id = $1`,
);
const ATTEMPTS = statement(
  'spec_attempts',
  'SELECT number, response_status, error FROM attempt WHERE delivery_id = $1 ORDER BY number',
);

const status =
  (code: number): ReceiverAnswer =>
  (_request, response) =>
    response.writeHead(code, { location: '/elsewhere' }).end();

describe('the schedule of a delivery', () => {
  afterEach(() => jest.restoreAllMocks());

  /** Inserts a delivery; `after` waits until it has a given number of attempts. */
  async function deliver(url: string) {
    const event = jobFinished(url);
    const { database } = dispatcher;
    await dispatcher.insert([event]);
    const find = async () => (await dispatcher.list({ event_id: event.event_id }))[0];
    return {
      event,
      makeDue: async (deliveryId: string) => {
        await database.execute(MAKE_DUE, [deliveryId]);
        dispatcher.get(WakeUp).notify('deliver');
      },
      after: (attempts: number) =>
        waitFor(async () => {
          const delivery = await find();
          return delivery?.attempts === attempts ? delivery : null;
        }),
    };
  }

  it('repeats the same bytes under the same ids, signed anew, until all six attempts have failed', async () => {
    const { receiver } = dispatcher;
    const answers = [status(500), status(302), status(410), status(429), status(404), reset];
    receiver.answer = (request, response) => answers[receiver.requests.length - 1]?.(request, response);
    const { event, after, makeDue } = await deliver(dispatcher.hookUrl());
    const realNow = Date.now;
    for (const [index, seconds] of [60, 300, 1_800, 7_200, 21_600].entries()) {
      const { delivery_id, status: state } = await after(index + 1);
      const wait = await dispatcher.database.findOne<{ seconds: number }>(WAITS, [delivery_id]);
      expect({ state, isOnTime: Math.abs((wait?.seconds ?? 0) - seconds) < 1 }).toEqual({
        state: 'pending',
        isOnTime: true,
      });
      jest.spyOn(Date, 'now').mockImplementation(() => realNow() + (index + 1) * 3_600_000);
      await makeDue(delivery_id);
    }
    const last = await after(6);
    expect(last).toMatchObject({ status: 'exhausted', last_error: 'connection_error', next_attempt_at: null });
    const { requests } = receiver;
    expect(requests.map(({ headers }) => headers['x-service-delivery'])).toEqual(Array(6).fill(last.delivery_id));
    expect(new Set(requests.map(({ body }) => body.toString('base64'))).size).toBe(1);
    const signatures = requests.map(({ headers }) => String(headers['x-service-signature']));
    const times = signatures.map((signature) => Number(/^t=(\d+)/.exec(signature)?.[1]));
    expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) >= 3_600)).toBe(true);
    for (const [index, secret] of ['whsec_new', 'whsec_old'].entries()) {
      const { body } = requests[index] ?? { body: '' };
      const verified = Stripe.webhooks.constructEvent(
        body,
        signatures[index] ?? '',
        secret,
        300,
        undefined,
        (times[index] ?? 0) * 1_000,
      );
      expect(verified.id).toBe(event.event_id);
    }
    expect(await dispatcher.database.query(ATTEMPTS, [last.delivery_id])).toEqual([
      { number: 1, response_status: 500, error: 'not_acknowledged' },
      { number: 2, response_status: 302, error: 'redirect' },
      { number: 3, response_status: 410, error: 'not_acknowledged' },
      { number: 4, response_status: 429, error: 'not_acknowledged' },
      { number: 5, response_status: 404, error: 'not_acknowledged' },
      { number: 6, response_status: null, error: 'connection_error' },
    ]);
  });

  it('limits an answer to ten seconds and its body to one, and reads no more of it than it needs', async () => {
    const { receiver } = dispatcher;
    let flooded = 0;
    receiver.answer = ({ path }, response) => {
      if (path === '/silent') return;
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 200);
      response.on('close', () => clearInterval(drip));
      const flood = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) flooded += 65_536;
      };
      if (path === '/flood') {
        response.on('drain', flood);
        flood();
      }
    };
    const deadlinesBefore = clock.waiting;
    const [silent, drip, flood] = await Promise.all(
      ['silent', 'drip', 'flood'].map((path) => deliver(`https://127.0.0.1:${receiver.port}/${path}`)),
    );
    const delivered = { status: 'delivered', last_response_status: 200, last_error: null };
    expect(await flood?.after(1)).toMatchObject(delivered);
    // Three for an answer, and two for the body of one that has begun.
    await waitFor(() => clock.waiting === deadlinesBefore + 5);
    clock.advance(1_000);
    expect(await drip?.after(1)).toMatchObject(delivered);
    clock.advance(8_999);
    expect(await silent?.after(0)).toMatchObject({ status: 'pending' });
    clock.advance(1);
    expect(await silent?.after(1)).toMatchObject({
      status: 'pending',
      last_response_status: null,
      last_error: 'timeout',
    });
    expect(flooded).toBeLessThan(16_000_000);
  });

  it('is shared by replicas: each attempt is made by exactly one of them', async () => {
    const { receiver } = dispatcher;
    receiver.answer = status(204);
    const before = receiver.requests.length;
    const events = Array.from({ length: 60 }, () => jobFinished(dispatcher.hookUrl()));
    await dispatcher.insert(events);
    for (const replica of dispatcher.replicas) replica.get(WakeUp).notify('deliver');
    await waitFor(() => receiver.requests.length >= before + 60);
    await waitFor(async () => {
      return (await dispatcher.list({ status: 'delivered', limit: 60 })).length === 60;
    });
    const deliveries = new Set(receiver.requests.slice(before).map(({ headers }) => headers['x-service-delivery']));
    expect(deliveries.size).toBe(60);
    expect(receiver.requests).toHaveLength(before + 60);
    // How they share the attempts depends on who claims first: one of them may take all. The log of an earlier test may still end.
    await waitFor(() => {
      const attempted = dispatcher.replicas.flatMap(({ log }) => log.of('delivery_attempted'));
      return attempted.filter((one) => one.counted && deliveries.has(String(one.delivery_id))).length === 60;
    });
  });
});

const reset: ReceiverAnswer = (_request, response) => void response.socket?.destroy();
