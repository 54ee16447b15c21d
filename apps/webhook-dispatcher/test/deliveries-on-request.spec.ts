import { statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import type { DeliveryDetails } from '@kinora/contracts/webhooks/webhooks.rpc';
import { DeliveryDeletionRepository } from '../src/delivery/delivery-deletion.repository';
import { PruneDeliveries } from '../src/use-cases/delete-content.use-case';
import { ListDeliveries } from '../src/use-cases/list-deliveries.query';
import { RecoverDeliveries, RedeliverEvent } from '../src/use-cases/redeliver-event.use-case';
import { SendTestEvent } from '../src/use-cases/send-test-event.use-case';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher();

/** Moves the delivery from after its first attempt to just before its last. */
const SKIP_TO_LAST = statement(
  'spec_skip_to_last',
  'UPDATE delivery SET attempts = 5, next_attempt_at = clock_timestamp() WHERE event_id = $1 AND attempts = 1',
);

describe('deliveries on request', () => {
  const deliveriesOf = (event_id: string) => dispatcher.list({ event_id });
  const reached = (eventId: string, status: string) =>
    waitFor(async () => (await deliveriesOf(eventId)).find((delivery) => delivery.status === status));

  async function exhaust(accountId: string) {
    dispatcher.answer(500);
    const event = { ...jobFinished(dispatcher.hookUrl()), account_id: accountId };
    const { database } = dispatcher;
    await dispatcher.insert([event]);
    await waitFor(async () => (await database.execute(SKIP_TO_LAST, [event.event_id])) === 1);
    const delivery = await reached(event.event_id, 'exhausted');
    return { eventId: event.event_id, deliveryId: delivery.delivery_id };
  }

  it('repeat an event in the same bytes under a new delivery id', async () => {
    const { eventId, deliveryId } = await exhaust(jobFinished(null).account_id);
    dispatcher.answer(200);
    const fresh = await dispatcher.get(RedeliverEvent).execute(deliveryId);
    expect(fresh).toMatchObject({ event_id: eventId, redelivery_of: deliveryId, attempts: 0, status: 'pending' });
    await reached(eventId, 'delivered');
    const requests = dispatcher.requestsOf(eventId);
    expect(requests.map(({ headers }) => headers['x-service-delivery'])).toEqual([
      deliveryId,
      deliveryId,
      fresh.delivery_id,
    ]);
    expect(requests[0]?.body.equals(requests[2]?.body ?? Buffer.of())).toBe(true);
    expect(await dispatcher.get(ListDeliveries).get(deliveryId)).toMatchObject({
      delivery: { delivery_id: deliveryId, status: 'exhausted', attempts: 6 },
      attempts: [{ number: 1 }, { number: 6, response_status: 500, error: 'not_acknowledged' }],
    });
  });

  it('recover, once, what an account has missed since a time, and nothing of other accounts', async () => {
    const { account_id } = jobFinished(null);
    const mine = [await exhaust(account_id), await exhaust(account_id)];
    const other = await exhaust(jobFinished(null).account_id);
    const recover = dispatcher.get(RecoverDeliveries);
    dispatcher.answer(200);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect(await recover.execute({ account_id, since: tomorrow })).toEqual({ recovered: 0 });
    expect(await recover.execute({ account_id, since: '2020-01-01' })).toEqual({ recovered: 2 });
    for (const { eventId } of mine) await reached(eventId, 'delivered');
    expect(await recover.execute({ account_id, since: '2020-01-01' })).toEqual({ recovered: 0 });
    expect(await deliveriesOf(other.eventId)).toHaveLength(1);
  });

  it('show failing endpoints on one page', async () => {
    const { account_id } = jobFinished(null);
    await exhaust(account_id);
    await exhaust(account_id);
    const retried = { ...jobFinished(dispatcher.hookUrl()), account_id };
    await dispatcher.insert([retried]);
    await waitFor(async () => (await dispatcher.deliveriesOf(retried))[0]?.attempts === 1);
    const host = `127.0.0.1:${dispatcher.receiver.port}`;
    expect(await dispatcher.get(ListDeliveries).failingEndpoints({ account_id })).toMatchObject({
      data: [
        { account_id, host, retrying: 1, exhausted: 2, last_response_status: 500, last_error: 'not_acknowledged' },
      ],
    });
  });

  it('are listed page by page: a page is what fits into one message', async () => {
    dispatcher.answer(204);
    const { account_id } = jobFinished(null);
    // The longest URL takes four bytes for each character.
    const url = `${dispatcher.hookUrl()}?${'\u{1f3ac}'.repeat(1_990)}`;
    const events = Array.from({ length: 140 }, () => ({ ...jobFinished(url), account_id }));
    await dispatcher.insert(events);
    const seen: string[] = [];
    let page: PartialList<DeliveryDetails> = { data: [], has_more: true };
    while (page.has_more === true) {
      const cursor = typeof page.next_cursor === 'string' ? { cursor: page.next_cursor } : {};
      page = await dispatcher.get(ListDeliveries).execute({ account_id, limit: 1_000, ...cursor });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1024 * 1024);
      seen.push(...page.data.map(({ event_id }) => event_id));
    }
    expect(seen.length).toBe(events.length);
    expect(new Set(seen)).toEqual(new Set(events.map(({ event_id }) => event_id)));
  });

  it('show endpoints page by page', async () => {
    dispatcher.answer(500);
    const { account_id } = jobFinished(null);
    const { port } = dispatcher.receiver;
    const events = ['127.0.0.1', 'localhost'].map((host) => ({
      ...jobFinished(`https://${host}:${port}/`),
      account_id,
    }));
    await dispatcher.insert(events);
    const list = (cursor: object = {}) =>
      dispatcher.get(ListDeliveries).failingEndpoints({ account_id, limit: 1, ...cursor });
    await waitFor(async () => (await list()).has_more === true);
    const [first, second] = [await list(), await list({ cursor: '1' })];
    expect(first.next_cursor).toBe('1');
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect(new Set([...first.data, ...second.data].map(({ host }) => host)).size).toBe(2);
  });

  it('send a signed event of a sample job to a receiver', async () => {
    dispatcher.answer(200);
    const { account_id } = jobFinished(null);
    const { event_id } = await dispatcher.get(SendTestEvent).execute({ account_id, url: dispatcher.hookUrl() });
    await reached(event_id, 'delivered');
    const [request] = dispatcher.requestsOf(event_id);
    expect(request?.headers['x-service-signature']).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/);
    const event = JSON.parse(request?.body.toString() ?? '') as WebhookEvent;
    expect(event).toMatchObject({ id: expect.stringMatching(/^evt_test_/) as string, type: 'job.succeeded' });
  });

  it('are pruned long after they ended, also one that a younger delivery repeats', async () => {
    const { database } = dispatcher;
    const { account_id } = jobFinished(null);
    const [old, repeated, young] = [await exhaust(account_id), await exhaust(account_id), await exhaust(account_id)];
    dispatcher.answer(200);
    await dispatcher.get(RedeliverEvent).execute(repeated.deliveryId);
    await reached(repeated.eventId, 'delivered');
    const ids = (await dispatcher.list({ account_id })).map(({ delivery_id }) => delivery_id);
    const keep = new DeliveryDeletionRepository(database);
    // As old as the newest of them by its completion, although its id is younger.
    const before = new Date(idTimeMs(young.deliveryId));
    expect(await keep.prune(before, 1_000)).toBeGreaterThan(0);
    const left = (await dispatcher.list({ account_id })).map(({ delivery_id }) => delivery_id);
    expect(left).toEqual(ids.filter((id) => ![old.deliveryId, repeated.deliveryId].includes(id)));
    await expect(dispatcher.get(ListDeliveries).get(old.deliveryId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await dispatcher.get(PruneDeliveries).execute()).toBe('idle');
    expect((await deliveriesOf(young.eventId)).length).toBe(1);
  });

  it('refuse parameters that are not valid', async () => {
    const { account_id } = jobFinished(null);
    const unknown = { code: 'not_found' };
    await expect(dispatcher.get(RedeliverEvent).execute(account_id)).rejects.toMatchObject(unknown);
    await expect(dispatcher.get(ListDeliveries).get('x')).rejects.toMatchObject(unknown);
    const since = dispatcher.get(RecoverDeliveries).execute({ account_id, since: 'yesterday' });
    await expect(since).rejects.toMatchObject({ code: 'invalid_body', param: 'since' });
    const inside = dispatcher.get(SendTestEvent).execute({ account_id, url: 'https://10.0.0.1/' });
    await expect(inside).rejects.toMatchObject({ code: 'invalid_body', param: 'url' });
  });
});

/** The time at which an id was made; a UUID version 7 begins with it. */
function idTimeMs(id: string): number {
  return parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
