import { EVENT_STREAM } from '@kinora/bus';
import { TestBroker, type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { AckPolicy, connect } from 'nats';
import { Client } from 'pg';
import { findDisagreements } from '../support/stack-books';
import { migrateSnapshot, readSnapshot, restoreSnapshot } from '../upgrade/snapshot';
import { findGrown, findOverdueRows, UnreadMessages } from './leftovers';

/** What makes the rows of a true database false, and the only problem that is found then. */
const OVERDUE: [place: string, falsify: string][] = [
  ['jobs.job', `UPDATE jobs.job SET deadline_at = '-infinity' WHERE completed_at IS NULL`],
  ['jobs.attempt', `UPDATE jobs.attempt SET next_check_at = '-infinity' WHERE state <> 'ended'`],
  [
    'webhook_dispatcher.delivery',
    `UPDATE webhook_dispatcher.delivery SET status = 'pending', completed_at = NULL, next_attempt_at = '-infinity'`,
  ],
  [
    'billing.checkout',
    `INSERT INTO billing.checkout (id, account_id, provider, amount_micros, saves_card, address, next_check_at)
     SELECT gen_random_uuid(), id, 'sandbox', 10000, false, '', '-infinity' FROM billing.account`,
  ],
  [
    'billing.payment',
    `INSERT INTO billing.payment (id, account_id, provider, amount_micros, payment_method, next_check_at)
     SELECT gen_random_uuid(), id, 'sandbox', 10000, 'card', '-infinity' FROM billing.account`,
  ],
  [
    'billing.payment_refund',
    `INSERT INTO billing.payment_refund (id, account_id, payment_id, provider, charge, amount_micros, next_check_at)
     SELECT gen_random_uuid(), id, gen_random_uuid(), 'sandbox', 'charge', 10000, '-infinity' FROM billing.account`,
  ],
  ['billing.hold', `UPDATE billing.hold SET state = 'held', ended_at = NULL`],
  [
    'billing.ledger_month',
    `INSERT INTO billing.ledger_month (month, end_id, after_account_id) VALUES ('2026-01', 1, gen_random_uuid())`,
  ],
  [
    'billing.email',
    `INSERT INTO billing.email (id, kind, recipient, subject, sealed, next_attempt_at)
     VALUES (gen_random_uuid(), 'sign_up', 'ada@mail.example', '', '', '-infinity')`,
  ],
];
const DISAGREEMENTS: [problem: string, falsify: string][] = [
  ['a hold without a job in flight', `DELETE FROM jobs.job WHERE completed_at IS NULL`],
  ['a job in flight without a hold', `DELETE FROM billing.hold WHERE state = 'held'`],
  [
    'an ended job whose hold differs in state or amount',
    `UPDATE billing.hold SET amount_micros = amount_micros + 1 WHERE state = 'captured'`,
  ],
  [
    'an account whose charges differ from its succeeded jobs',
    `ALTER TABLE billing.ledger_entry DISABLE TRIGGER ALL; DELETE FROM billing.ledger_entry WHERE kind = 'capture'`,
  ],
  ['a delivery with content that is deleted', `UPDATE jobs.job SET content_deleted_at = now()`],
  ['an unpublished event', `INSERT INTO jobs.outbox (id, subject, payload) VALUES (gen_random_uuid(), '', '{}')`],
];

describe('what a stack at rest has left over', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    const snapshot = readSnapshot();
    database = await createTestDatabase('leftovers-spec', []);
    await restoreSnapshot(database.adminUrl, snapshot);
    await migrateSnapshot(database.adminUrl, snapshot);
    client = new Client({ connectionString: database.adminUrl });
    await client.connect();
    // References would refuse some falsehoods.
    await client.query(`SET session_replication_role = replica`);
    await client.query(`UPDATE jobs.attempt SET next_check_at = 'infinity'`);
    await client.query(`UPDATE webhook_dispatcher.delivery SET next_attempt_at = 'infinity'`);
  });
  afterAll(async () => {
    await client.end();
    await database.close();
  });

  /** @returns the problems, without their subjects, that come with the falsehood. */
  async function findAfter(falsify: string, find: (client: Client) => Promise<string[]>): Promise<string[]> {
    const before = await find(client);
    await client.query('BEGIN');
    try {
      await client.query(falsify);
      const added = (await find(client)).filter((row) => !before.includes(row));
      return [...new Set(added.map((row) => row.replace(/:? [\w-]+$/, '')))];
    } finally {
      await client.query('ROLLBACK');
    }
  }

  it.each(OVERDUE)('shows in %s where its time is over', async (place, falsify) => {
    expect(await findAfter(falsify, findOverdueRows)).toEqual([`overdue: ${place}`]);
  });

  it.each(DISAGREEMENTS)('shows in the books as %s', async (problem, falsify) => {
    expect(await findAfter(falsify, findDisagreements)).toEqual([problem]);
  });

  it('shows as a message that a consumer has not acknowledged', async () => {
    const broker = await TestBroker.start();
    const connection = await connect({ servers: broker.url });
    const { streams, consumers } = await connection.jetstreamManager();
    await streams.add({ name: EVENT_STREAM, subjects: ['event'] });
    await consumers.add(EVENT_STREAM, { durable_name: 'reader', ack_policy: AckPolicy.Explicit });
    const unread = new UnreadMessages(broker.url, 0);
    expect(await unread.find()).toEqual([]);
    await connection.jetstream().publish('event');
    expect(await unread.find()).toEqual(['1 messages for reader']);
    expect(await unread.find()).toEqual(['1 messages for reader']);
    // A pull for two takes it and waits on. The server delivers it again after 30 s, and a lost one never.
    const pulled = connection.subscribe('pulled');
    const pull = `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.reader`;
    connection.publish(pull, JSON.stringify({ batch: 2 }), { reply: 'pulled' });
    await waitFor(async () => (await consumers.info(EVENT_STREAM, 'reader')).num_ack_pending === 1);
    expect(await unread.find()).toEqual(['1 messages for reader']);
    expect(await unread.find()).toEqual([]);
    pulled.unsubscribe();
    await connection.close();
    await broker.close();
  });

  it('shows as a process that has grown', () => {
    const before = new Map([['jobs', 200]]);
    expect(findGrown(before, new Map([['jobs', 328]]))).toEqual([]);
    expect(findGrown(before, new Map([['jobs', 329]]))).toEqual(['jobs holds 329 MB']);
  });
});
