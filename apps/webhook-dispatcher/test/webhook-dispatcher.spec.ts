import { createHmac } from 'node:crypto';
import { statement } from '@kinora/database';
import { HttpsReceiver, waitFor } from '@kinora/testing';
import { type AttemptResult, type ClaimedDelivery, decideNextStep } from '../src/delivery/delivery-attempt';
import { DueDeliveryRepository } from '../src/delivery/due-delivery.repository';
import { Slots } from '../src/attempts/slots';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher();

const MAKE_ALL_DUE = statement('spec_make_due', 'UPDATE delivery SET next_attempt_at = now() WHERE status = $1');
const STANDING = statement(
  'spec_standing',
  `SELECT status, attempts, (SELECT count(*)::integer FROM attempt WHERE delivery_id = id) AS recorded,
          next_attempt_at <= clock_timestamp() AS is_due
   FROM delivery WHERE id = $1`,
);

describe('webhook dispatcher', () => {
  beforeEach(() => {
    dispatcher.fakes.secrets = ['whsec_new', 'whsec_old'];
    dispatcher.answer(204);
  });

  describe('a delivery', () => {
    it('is one POST of the event, signed over its exact bytes with every valid secret', async () => {
      const event = jobFinished(dispatcher.hookUrl('/hook?to=me'));
      await dispatcher.publish(event);
      const delivery = await dispatcher.attempted(event);
      const [request, ...others] = dispatcher.requestsOf(event.event_id);
      expect(others).toEqual([]);
      const { method, path, headers, body } = request ?? fail();
      expect({ method, path, event: JSON.parse(body.toString()) as unknown }).toEqual({
        method: 'POST',
        path: '/hook?to=me',
        event: {
          id: event.event_id,
          type: 'job.canceled',
          created: Math.floor(Date.parse(event.job.completed_at ?? '') / 1_000),
          data: { object: event.job },
        },
      });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Kinora-Webhooks/1.0',
        'accept-encoding': 'identity',
        'x-service-event': 'job.canceled',
        'x-service-delivery': delivery.delivery_id,
      });
      const signature = String(headers['x-service-signature']);
      const [, seconds] = /^t=(\d+),/.exec(signature) ?? fail();
      const [newest, oldest] = ['whsec_new', 'whsec_old'].map((secret) =>
        createHmac('sha256', secret).update(`${seconds}.${body.toString()}`).digest('hex'),
      );
      expect(signature).toBe(`t=${seconds},v1=${newest},v1=${oldest}`);
      expect(Math.abs(Date.now() / 1_000 - Number(seconds))).toBeLessThan(60);
    });

    it('is listed with the results of its attempts', async () => {
      const event = jobFinished(dispatcher.hookUrl());
      await dispatcher.publish(event);
      expect(await dispatcher.attempted(event)).toMatchObject({
        event_id: event.event_id,
        account_id: event.account_id,
        url: dispatcher.hookUrl(),
        status: 'delivered',
        attempts: 1,
        last_response_status: 204,
        last_error: null,
        last_latency_ms: expect.any(Number) as number,
        next_attempt_at: null,
      });
    });

    it('is made once, even if the event arrives several times', async () => {
      const event = jobFinished(dispatcher.hookUrl());
      const next = jobFinished(dispatcher.hookUrl());
      await dispatcher.publish(event);
      await dispatcher.publish(event);
      await dispatcher.publish(next);
      await dispatcher.attempted(next);
      await waitFor(async () => (await dispatcher.deliveriesOf(event))[0]?.status === 'delivered');
      dispatcher.fakes.finished = [event];
      await dispatcher.sweep();
      expect(await dispatcher.deliveriesOf(event)).toHaveLength(1);
      expect(dispatcher.requestsOf(event.event_id)).toHaveLength(1);
    });

    it('is acknowledged by the status of an answer whose body is cut off', async () => {
      dispatcher.receiver.answer = (_request, response) =>
        response.writeHead(200, { 'content-length': '100' }).write('thanks', () => response.destroy());
      const event = jobFinished(dispatcher.hookUrl());
      await dispatcher.publish(event);
      const { status, last_response_status, last_error } = await dispatcher.attempted(event);
      expect([status, last_response_status, last_error]).toEqual(['delivered', 200, null]);
    });

    it('does not follow a redirect', async () => {
      const elsewhere = await HttpsReceiver.start();
      const location = `https://127.0.0.1:${elsewhere.port}/`;
      dispatcher.receiver.answer = (_request, response) => response.writeHead(302, { location }).end();
      const event = jobFinished(dispatcher.hookUrl());
      await dispatcher.publish(event);
      expect(await dispatcher.attempted(event)).toMatchObject({ last_response_status: 302, last_error: 'redirect' });
      expect(elsewhere.connections).toBe(0);
      await elsewhere.close();
    });

    it('never connects to a private address', async () => {
      const inside = await HttpsReceiver.start();
      const event = jobFinished(`https://127.0.0.1:${inside.port}/`);
      await dispatcher.publish(event);
      expect(await dispatcher.attempted(event)).toMatchObject({ last_error: 'blocked_address' });
      expect(inside.connections).toBe(0);
      await inside.close();
    });

    it('waits, unsigned and uncounted, while billing does not return the secrets', async () => {
      dispatcher.fakes.secrets = null;
      const event = jobFinished(dispatcher.hookUrl());
      await dispatcher.publish(event);
      await waitFor(() =>
        dispatcher.log.of('webhook_secrets_missing').some((line) => line.account_id === event.account_id),
      );
      // The dispatcher requests the secrets while it writes the delivery.
      await waitFor(async () => (await dispatcher.deliveriesOf(event)).length === 1);
      expect(await dispatcher.deliveriesOf(event)).toMatchObject([{ status: 'pending', attempts: 0 }]);
      expect(dispatcher.requestsOf(event.event_id)).toEqual([]);
      dispatcher.fakes.secrets = ['whsec_new'];
      await waitFor(async () => {
        await dispatcher.database.execute(MAKE_ALL_DUE, ['pending']);
        return (await dispatcher.deliveriesOf(event))[0]?.status === 'delivered';
      });
    });
  });

  it('makes no delivery for a job without a webhook URL', async () => {
    const silent = jobFinished(null);
    const next = jobFinished(dispatcher.hookUrl());
    await dispatcher.publish(silent);
    await dispatcher.publish(next);
    await dispatcher.attempted(next);
    expect(await dispatcher.deliveriesOf(silent)).toEqual([]);
  });

  it('is attempted again when the process that claimed it died, and that process cannot overwrite the result', async () => {
    await dispatcher.stop();
    const event = jobFinished(dispatcher.hookUrl());
    await dispatcher.insert([event]);
    const dead = new DueDeliveryRepository(dispatcher.database);
    const { deliveries } = await dead.claim(new Slots(8).room(), 100);
    const claimed = deliveries.find(({ body }) => body.includes(event.event_id));
    await dispatcher.start();
    expect(await dispatcher.attempted(event)).toMatchObject({
      delivery_id: claimed?.id,
      status: 'delivered',
      attempts: 1,
    });
    const late = { response_status: null, error: 'timeout', latency_ms: 1 } as const;
    expect(await dead.endAttempt(claimed ?? fail(), { result: late, excerpt: null }, decideNextStep(0, late))).toBe(
      false,
    );
    expect(dispatcher.requestsOf(event.event_id)).toHaveLength(1);
  });

  it.each<[string, AttemptResult, number]>([
    ['delivered', { response_status: 204, error: null, latency_ms: 1 }, 0],
    ['to be repeated', { response_status: null, error: 'timeout', latency_ms: 1 }, 0],
    ['given up', { response_status: 500, error: 'not_acknowledged', latency_ms: 1 }, 5],
  ])('is not %s by a process whose lease another one has taken over', async (_, result, attemptsBefore) => {
    await dispatcher.stop();
    const event = jobFinished(dispatcher.hookUrl());
    const { database } = dispatcher;
    await dispatcher.insert([event]);
    const claim = async (): Promise<ClaimedDelivery | undefined> => {
      const { deliveries } = await new DueDeliveryRepository(database).claim(new Slots(8).room(), 0);
      return deliveries.find(({ body }) => body.includes(event.event_id));
    };
    const due = new DueDeliveryRepository(database);
    const [stale, holder] = [await claim(), await waitFor(claim)];
    expect(
      await due.endAttempt(stale ?? fail(), { result, excerpt: null }, decideNextStep(attemptsBefore, result)),
    ).toBe(false);
    await due.postpone(stale ?? fail(), 3_600_000);
    const untouched = { status: 'pending', attempts: 0, recorded: 0, is_due: true };
    expect(await database.findOne(STANDING, [holder.id])).toEqual(untouched);
    const received = { response_status: 204, error: null, latency_ms: 2 } as const;
    expect(await due.endAttempt(holder, { result: received, excerpt: '' }, decideNextStep(0, received))).toBe(true);
    expect(await database.findOne(STANDING, [holder.id])).toMatchObject({
      status: 'delivered',
      attempts: 1,
      recorded: 1,
    });
    await dispatcher.start();
  });

  it.each([
    ['account_id', { account_id: 'me' }],
    ['job_id', { job_id: '1' }],
    ['limit', { limit: 0 }],
  ])('names %s when it cannot list by it', async (param, request) => {
    await expect(dispatcher.get(ListDeliveries).execute(request)).rejects.toMatchObject({
      code: 'invalid_body',
      param,
    });
  });
});

function fail(): never {
  throw new Error('The spec found nothing to continue with; an earlier step did not return what it should.');
}
