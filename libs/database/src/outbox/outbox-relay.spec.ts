import { event } from '@kinora/contracts/shared/contract';
import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { Client } from 'pg';
import { Database } from '../database';
import { createDataSource } from '../data-source';
import { statement } from '../statement';
import { appendToOutbox } from './outbox';
import { OutboxRelay, type Publish } from './outbox-relay';
import { CREATE_OUTBOX_AND_INBOX } from '../migrations.fixtures';

const eventSent = event<{ id: number }>('jobs.v1.event.outbox_spec_happened');
const COUNT = statement('outbox_count', 'SELECT count(*) AS rows FROM outbox');

interface Sent {
  subject: string;
  payload: unknown;
  messageId: string;
}

describe('outbox relay', () => {
  let test: TestDatabase;
  const relays: OutboxRelay[] = [];
  const sent: Sent[] = [];
  const failures: string[] = [];
  const record: Publish = async (subject, payload, messageId) => void sent.push({ subject, payload, messageId });

  beforeAll(async () => {
    test = await createTestDatabase('outbox-spec', [CREATE_OUTBOX_AND_INBOX]);
  });

  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    sent.length = 0;
    failures.length = 0;
  });

  afterAll(() => test.close());

  function startRelay(publish: Publish = record, database: Database = test.database): OutboxRelay {
    const relay = new OutboxRelay(database, publish, (reason) => failures.push(reason));
    relay.start();
    relays.push(relay);
    return relay;
  }

  const append = (id: number): Promise<void> =>
    test.database.transaction((transaction) => appendToOutbox(transaction, eventSent, { id }));

  const rowsLeft = async (): Promise<number> => (await test.database.findOne<{ rows: number }>(COUNT))?.rows ?? -1;

  const isEmpty = async (): Promise<boolean> => (await rowsLeft()) === 0;

  const ids = (): number[] => sent.map(({ payload }) => (payload as { id: number }).id).sort((a, b) => a - b);

  it('publishes an event after its transaction was committed, and not before', async () => {
    const relay = startRelay();
    await test.database.transaction(async (transaction) => {
      await appendToOutbox(transaction, eventSent, { id: 1 });
      await append(2);
      relay.nudge();
      await waitFor(() => sent.length > 0);
      expect(ids()).toEqual([2]);
    });
    relay.nudge();
    await waitFor(isEmpty);
    expect(ids()).toEqual([1, 2]);
    expect(sent[0]).toEqual({
      subject: eventSent.subject,
      payload: { id: 2 },
      messageId: expect.any(String) as string,
    });
  });

  it('never publishes an event of a transaction that was rolled back', async () => {
    const rolledBack = test.database.transaction(async (transaction) => {
      await appendToOutbox(transaction, eventSent, { id: 1 });
      throw new Error('changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    await append(2);
    startRelay();
    await waitFor(isEmpty);
    expect(ids()).toEqual([2]);
  });

  it('publishes without a nudge, at its next poll', async () => {
    startRelay();
    await waitFor(isEmpty);
    await append(1);
    await waitFor(() => sent.length === 1);
  });

  it('publishes the last commits before it stops', async () => {
    const relay = startRelay();
    await waitFor(isEmpty);
    await append(1);
    await relay.stop();
    expect(ids()).toEqual([1]);
  });

  it('keeps events without acknowledgement, publishes the others, and tries again', async () => {
    let refusing = true;
    const refuseFirst: Publish = async (subject, payload, messageId) => {
      if (refusing && (payload as { id: number }).id === 1) throw new Error('no acknowledgement');
      await record(subject, payload, messageId);
    };
    await Promise.all([append(1), append(2)]);
    const relay = startRelay(refuseFirst);
    await waitFor(async () => (await rowsLeft()) === 1);
    expect([ids(), failures[0]]).toEqual([[2], 'Error: no acknowledgement']);
    refusing = false;
    relay.nudge();
    await waitFor(isEmpty);
    expect(ids()).toEqual([1, 2]);
  });

  it('shares its work with the relays of other replicas, and no event is published twice', async () => {
    const numbers = Array.from({ length: 500 }, (_, index) => index);
    await test.database.transaction(async (transaction) => {
      for (const id of numbers) await appendToOutbox(transaction, eventSent, { id });
    });
    const busy = new Set<number>();
    for (const replica of [1, 2, 3])
      startRelay(async (subject, payload, messageId) => {
        busy.add(replica);
        // Holds the first batch of each relay until all have one, as a slow broker would.
        await waitFor(() => busy.size === 3);
        await record(subject, payload, messageId);
      });
    await waitFor(isEmpty);
    expect(ids()).toEqual(numbers);
  });

  it('publishes an event again under the same id if it was killed before it deleted the row', async () => {
    const dataSource = await createDataSource({ url: test.url, name: 'doomed-relay', poolSize: 2 }).initialize();
    const administrator = new Client({ connectionString: test.adminUrl });
    await administrator.connect();
    await append(1);
    startRelay(async (subject, payload, messageId) => {
      await record(subject, payload, messageId);
      if (sent.length > 1) return;
      await administrator.query(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'doomed-relay'",
      );
    }, new Database(dataSource));
    await waitFor(isEmpty);
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(failures).toEqual([expect.stringContaining('not available')]);
    await administrator.end();
    await dataSource.destroy();
  });
});
