import { randomUUID } from 'node:crypto';
import { type Database, type Queryable, statement } from '@kinora/database';
import { waitFor } from '@kinora/testing';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import { DeliveryDeletionRepository } from '../src/delivery/delivery-deletion.repository';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { RequestedDeliveryRepository } from '../src/delivery/requested-delivery.repository';
import { DeleteContent } from '../src/use-cases/delete-content.use-case';
import { RedeliverEvent, RedeliverForAccount } from '../src/use-cases/redeliver-event.use-case';
import { ScheduleDelivery } from '../src/use-cases/schedule-delivery.use-case';
import { jobFinished, useDispatcher } from './webhook-dispatcher.fixtures';

const dispatcher = useDispatcher();

const MAKE_DUE = statement(
  'spec_make_delivery_due',
  `UPDATE delivery SET next_attempt_at = clock_timestamp() WHERE event_id = $1 AND attempts = $2 AND status = 'pending'`,
);
const READ_ANSWERS = statement(
  'spec_read_answers',
  `SELECT response_excerpt FROM attempt JOIN delivery ON delivery.id = delivery_id WHERE event_id = $1 ORDER BY number`,
);
const READ = statement('spec_read_delivery', 'SELECT url, body, status FROM delivery WHERE event_id = $1 ORDER BY id');
const FIND_WAITING = statement(
  'spec_find_waiting',
  `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);

describe('the deletion of content', () => {
  const finished = (completedAt?: Date): JobFinished =>
    jobFinished(`https://127.0.0.1:${dispatcher.receiver.port}/hook?token=of-the-client`, completedAt);
  const withoutContent = (event: JobFinished): JobFinished => ({
    ...event,
    job: { ...event.job, input: { ...event.job.input, prompt: '' }, metadata: null },
  });
  const deleteContent = (event: JobFinished) => dispatcher.get(DeleteContent).execute(withoutContent(event));
  const schedule = (event: JobFinished) => dispatcher.get(ScheduleDelivery).execute(event);
  const bodiesOf = ({ event_id }: JobFinished): WebhookEvent[] =>
    dispatcher.receiver.requests
      .filter(({ body }) => body.includes(`"${event_id}"`))
      .map(({ body }) => JSON.parse(body.toString()) as WebhookEvent);
  const rowsOf = ({ event_id }: JobFinished) =>
    dispatcher.database.query<{ url: string; body: string; status: string }>(READ, [event_id]);
  const received = (event: JobFinished, count: number) =>
    waitFor(() => (bodiesOf(event).length >= count ? bodiesOf(event) : null));
  const ended = (event: JobFinished, status: string) =>
    waitFor(async () => (await rowsOf(event)).every((row) => row.status === status));
  const answersOf = ({ event_id }: JobFinished, count: number) =>
    waitFor(async () => {
      const query = dispatcher.database.query<{ response_excerpt: string | null }>(READ_ANSWERS, [event_id]);
      const answers = (await query).map(({ response_excerpt }) => response_excerpt);
      return answers.length >= count ? answers : null;
    });
  const firstDeliveryOf = async ({ event_id }: JobFinished): Promise<string> =>
    (await dispatcher.list({ event_id })).at(-1)?.delivery_id ?? '';
  const redeliverForAccount = ({ account_id }: JobFinished, delivery_id: string) =>
    dispatcher.get(RedeliverForAccount).execute({ account_id, api_key_id: randomUUID(), delivery_id });
  const repeatFor = (on: Database, account_id: string, id: string) =>
    new RequestedDeliveryRepository(on).repeat({ account_id, api_key_id: randomUUID() }, id);
  /** Begins the second work while the transaction of the first is open. */
  const oneBehindTheOther = async (
    first: (on: Database) => Promise<unknown>,
    second: (on: Database) => Promise<unknown>,
  ): Promise<void> => {
    const { database } = dispatcher;
    let isOver = false;
    let later: Promise<unknown> = Promise.resolve();
    await database.transaction(async (transaction) => {
      const inTransaction = { transaction: (work: (on: Queryable) => unknown) => work(transaction) };
      await first(Object.assign(inTransaction, { execute: transaction.execute.bind(transaction) }) as never);
      later = second(database).finally(() => (isOver = true));
      await waitFor(async () => isOver || (await database.query(FIND_WAITING)).length > 0);
    });
    await later;
  };
  const retry = ({ event_id }: JobFinished, attempts: number) =>
    waitFor(async () => (await dispatcher.database.execute(MAKE_DUE, [event_id, attempts])) === 1);

  it('deletes the answers of receivers, which may repeat the body, and records none afterwards', async () => {
    dispatcher.receiver.answer = (request, response) => response.writeHead(500).end(request.body);
    const event = finished();
    await schedule(event);
    expect(await answersOf(event, 1)).toEqual([expect.stringContaining('evt_')]);
    await deleteContent(event);
    expect(await answersOf(event, 1)).toEqual([null]);
    await retry(event, 1);
    expect(await answersOf(event, 2)).toEqual([null, null]);
  });

  it('changes what a delivery that is due carries, and deletes its address at its end', async () => {
    dispatcher.answer(500);
    const event = finished();
    await schedule(event);
    await received(event, 1);
    await deleteContent(event);
    dispatcher.answer(200);
    await retry(event, 1);
    const [before, after] = await received(event, 2);
    expect(before).toMatchObject({ id: event.event_id, data: { object: event.job } });
    expect(after).toMatchObject({ id: event.event_id, data: { object: withoutContent(event).job } });
    await ended(event, 'delivered');
    const [row] = await rowsOf(event);
    expect(row?.url).toBe('');
    expect(row?.body).not.toContain('Grüße');
  });

  it('writes the delivery of an event that has not arrived, and the event changes nothing when it arrives', async () => {
    dispatcher.answer(200);
    const event = finished();
    await deleteContent(event);
    await schedule(event);
    await dispatcher.insert([event]);
    expect(await received(event, 1)).toMatchObject([{ data: { object: withoutContent(event).job } }]);
    await ended(event, 'delivered');
    expect(await rowsOf(event)).toHaveLength(1);
  });

  it('writes no delivery where retention may have deleted one', async () => {
    const event = finished(new Date(Date.now() - 31 * 86_400_000));
    await deleteContent(event);
    expect(await rowsOf(event)).toEqual([]);
  });

  it('deletes from a delivery that has ended, which can then not be sent again', async () => {
    dispatcher.answer(200);
    const event = finished();
    await schedule(event);
    await ended(event, 'delivered');
    await deleteContent(event);
    await deleteContent(event);
    const [row] = await rowsOf(event);
    expect(row).toMatchObject({ url: '', body: expect.not.stringContaining('Grüße') as string });
    const id = await firstDeliveryOf(event);
    for (const repeat of [dispatcher.get(RedeliverEvent).execute(id), redeliverForAccount(event, id)])
      await expect(repeat).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowsOf(event)).toHaveLength(1);
  });

  it.each([
    ['an account', (on: Database, { account_id }: JobFinished, id: string) => repeatFor(on, account_id, id)],
    ['an operator', (on: Database, _event: JobFinished, id: string) => new DeliveryRepository(on).redeliver([id])],
  ])('reaches a redelivery that is written for %s at the same time', async (_name, repeat) => {
    for (const isFirst of [true, false]) {
      dispatcher.answer(500);
      const event = finished();
      await schedule(event);
      await received(event, 1);
      const id = await firstDeliveryOf(event);
      const repeatIn = (on: Database) => repeat(on, event, id);
      const deleteIn = (on: Database) =>
        new DeliveryDeletionRepository(on).replaceContent(
          event.event_id,
          JSON.stringify({ left: event.event_id }),
          new Date(),
        );
      const [first, second] = isFirst ? [repeatIn, deleteIn] : [deleteIn, repeatIn];
      await oneBehindTheOther(first, second);
      const rows = await rowsOf(event);
      expect(rows).toHaveLength(2);
      for (const { body } of rows) expect(body).not.toContain('Grüße');
    }
  });

  it('deletes the address of a delivery that its account requests afterwards, once that has ended', async () => {
    dispatcher.answer(500);
    const event = finished();
    await schedule(event);
    await received(event, 1);
    await deleteContent(event);
    dispatcher.answer(200);
    await redeliverForAccount(event, await firstDeliveryOf(event));
    await retry(event, 1);
    await ended(event, 'delivered');
    expect((await rowsOf(event)).map(({ url }) => url)).toEqual(['', '']);
  });
});
