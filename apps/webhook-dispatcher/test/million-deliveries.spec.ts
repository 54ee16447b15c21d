import path from 'node:path';
import { type Database, firstIdOf, monthAfter } from '@kinora/database';
import {
  type CostLimits,
  MeasuredDatabase,
  type TestDatabase,
  endFirstMonth,
  fillTable,
  statementNames,
} from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { AttemptEntity, DeliveryEntity } from '../src/delivery/delivery.entity';
import { DeliveryDeletionRepository } from '../src/delivery/delivery-deletion.repository';
import { DeliveryLogRepository } from '../src/delivery/delivery-log.repository';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { DueDeliveryRepository } from '../src/delivery/due-delivery.repository';
import type { NewDelivery } from '../src/delivery/new-delivery';
import { RequestedDeliveryRepository } from '../src/delivery/requested-delivery.repository';
import { migrations } from '../src/migrations/migrations';
import { Slots } from '../src/attempts/slots';
import { monthsOf } from './webhook-dispatcher.fixtures';
import { SweepRepository } from '../src/delivery/sweep.repository';

/** Statements that count rows for metrics, up to a limit. */
const COUNTS = ['delivery_count_pending'];
const DELIVERIES = 1_000_000;
/** Deliveries that are pending, half of them after a failed attempt. */
const PENDING = 1_000;
/** One of this many completed deliveries is exhausted. */
const EXHAUSTED_EVERY = 10_000;
/** Deliveries that one statement prunes, each with its attempt and its index entries. */
const FORGOTTEN = 100;
const ACROSS_MONTHS = [
  // Its months are dropped when they expire, so the oldest of them is the first with a row.
  'delivery_lock_oldest',
  // They read back, month by month, what the latest days do not have: failures are rare, and so may be a host.
  'delivery_list_exhausted',
  'delivery_list_account_id_exhausted',
  'delivery_list_account_id_host',
  'delivery_list_event_id',
];
const LIMITS: CostLimits = {
  most: 1_000,
  mostOf: {
    delivery_prune: FORGOTTEN * 20,
    // They read all pending deliveries, or skip over them.
    delivery_list_failing_endpoints: 3 * PENDING,
    delivery_list_pending: 3 * PENDING,
    delivery_list_delivered: 3 * PENDING,
    delivery_list_account_id_pending: 3 * PENDING,
    delivery_list_account_id_delivered: 3 * PENDING,
    // The claim locks a window of four rows for each slot, and updates as many as have room.
    delivery_claim_due: 256 * 16,
  },
  mostPlanned: 4,
  acrossPartitions: ACROSS_MONTHS,
  plannedForAll: ACROSS_MONTHS,
  // Skipped rows may lie together on a few pages.
  count: ({ pages, rows }) => Math.max(pages, rows),
};

/** Partitions before the deliveries, without a row. */
const EMPTY_MONTHS = 36;
/** A delivery in this time, so that they fill a month. */
const EVERY_MS = 2_592;
const FIRST_MS = Date.now() - DELIVERIES * EVERY_MS;

/** The id of a delivery by its number: of its time, as ids are. */
function deliveryId(number: number): string {
  return firstIdOf(new Date(FIRST_MS + number * EVERY_MS));
}

const ID = `(lpad(to_hex(${FIRST_MS} + n::bigint * ${EVERY_MS}), 12, '0') || '70008000000000000000')::uuid`;
/** The account that owns every delivery. */
const ACCOUNT = deliveryId(1);
const AT_ONCE = 32;

const WRITE_DELIVERIES = `
  INSERT INTO delivery (id, event_id, event_type, account_id, job_id, host, url, body, status, attempts, next_attempt_at,
                        completed_at, fence)
  SELECT ${ID}, 'evt_' || n, 'job.succeeded', '${ACCOUNT}', ${ID}, 'example.com:443', 'https://example.com/', '{}', status,
         CASE WHEN n % 2 = 0 THEN 1 ELSE 0 END, CASE WHEN status = 'pending' THEN now() - interval '1 minute' END,
         CASE WHEN status <> 'pending' THEN now() - interval '1 day' END, 1
    FROM generate_series(1, ${DELIVERIES}) AS n,
         LATERAL (SELECT CASE WHEN n > ${DELIVERIES - PENDING} THEN 'pending' WHEN n % ${EXHAUSTED_EVERY} = 0 THEN 'exhausted'
                              ELSE 'delivered' END AS status) AS written`;
const WRITE_ATTEMPTS = `
  INSERT INTO attempt (delivery_id, number, response_status, latency_ms)
  SELECT ${ID}, 1, 200, 5 FROM generate_series(1, ${DELIVERIES}) AS n WHERE n % 4 = 0`;

const WRITE_EVENTS = 'INSERT INTO delivery_event (event_id, delivery_id) SELECT event_id, id FROM delivery';

describe('with a million deliveries', () => {
  let database: MeasuredDatabase;

  beforeAll(async () => {
    database = await MeasuredDatabase.create('webhook-dispatcher', migrations, fillDeliveries, [
      DeliveryEntity,
      AttemptEntity,
    ]);
    database.openFrom = monthAfter(new Date(), -1);
  }, 180_000);
  afterAll(() => database.close());

  it('every statement uses an index and reads a few pages', async () => {
    for (const work of worksOf(database)) await work();
    expect(database.costlierThan(LIMITS)).toEqual([]);
    expect(database.unmeasured(statementNames(path.join(__dirname, '../src')))).toEqual(COUNTS);
  });
});

async function fillDeliveries({ adminUrl, database }: TestDatabase): Promise<void> {
  await endFirstMonth(database, ['delivery', 'attempt'], monthAfter(new Date(FIRST_MS), -EMPTY_MONTHS));
  for (const months of monthsOf(database, 36_500)) await months.maintain(new Date());
  await fillTable(adminUrl, 'webhook_dispatcher.delivery', [WRITE_DELIVERIES]);
  await fillTable(adminUrl, 'webhook_dispatcher.attempt', [WRITE_ATTEMPTS]);
  await fillTable(adminUrl, 'webhook_dispatcher.delivery_event', [WRITE_EVENTS]);
}

/** For each statement of the context, a call that executes it. */
function worksOf(database: Database): (() => Promise<unknown>)[] {
  return [...worksOfDeliveries(database), ...worksOfLists(database), ...worksOfSweeps(database)];
}

function worksOfDeliveries(database: Database): (() => Promise<unknown>)[] {
  const deliveries = new DeliveryRepository(database);
  const due = new DueDeliveryRepository(database);
  const requested = new RequestedDeliveryRepository(database);
  const requester = { account_id: ACCOUNT, api_key_id: uuidv7() };
  const sent = { result: { response_status: 200, error: null, latency_ms: 5 }, excerpt: 'ok' };
  return [
    () => Promise.all(Array.from({ length: AT_ONCE }, () => deliveries.insert(aDelivery()))),
    () => deliveries.redeliver([deliveryId(EXHAUSTED_EVERY)]),
    () => requested.insert(requester, aDelivery()),
    () => requested.repeat(requester, deliveryId(EXHAUSTED_EVERY)),
    () => new DeliveryDeletionRepository(database).replaceContent('evt_999000', '{}', new Date()),
    () => deliveries.findLost(ACCOUNT, new Date(), 50),
    async () => {
      const { deliveries: claimed } = await due.claim(new Slots(256).room());
      const [postponed, ...ended] = claimed.slice(0, AT_ONCE);
      if (!postponed) throw new Error('The claim found no due delivery; the spec expects one.');
      await due.postpone(postponed, 1_000);
      await Promise.all(ended.map((one) => due.endAttempt(one, sent, { status: 'delivered', retryAfterMs: null })));
    },
    async () => expect(await new DeliveryDeletionRepository(database).prune(new Date(), FORGOTTEN)).toBe(FORGOTTEN),
    async () =>
      expect(await new DeliveryDeletionRepository(database).pruneEvents(new Date(), FORGOTTEN)).toBe(FORGOTTEN),
  ];
}

function worksOfLists(database: Database): (() => Promise<unknown>)[] {
  const log = new DeliveryLogRepository(
    database.repository(DeliveryEntity),
    database.repository(AttemptEntity),
    database,
  );
  const none = { account_id: null, job_id: null, event_id: null, status: null };
  const lists = [null, ACCOUNT].flatMap((account_id) =>
    ([null, 'pending', 'delivered', 'exhausted'] as const).map((status) => ({ ...none, account_id, status })),
  );
  return [
    ...lists.map((filter) => async () => expect(await log.list(filter, null, 50)).toHaveLength(50)),
    ...lists.map((filter) => () => log.list(filter, deliveryId(500_000), 50)),
    () => log.list({ ...none, job_id: deliveryId(500_000) }, null, 50),
    () => log.list({ ...none, account_id: ACCOUNT, host: 'elsewhere.example:443' }, null, 50),
    () => log.list({ ...none, event_id: 'evt_500000' }, null, 50),
    () => log.find(deliveryId(500_000)),
    () => log.listAttempts(deliveryId(500_000)),
    () => log.listFailingEndpoints(ACCOUNT, 0, 50),
  ];
}

function worksOfSweeps(database: Database): (() => Promise<unknown>)[] {
  const sweeps = new SweepRepository(database);
  return [
    () => sweeps.acquireLease({ everyMs: 1_000, overlapMs: 1_000 }),
    () => sweeps.reach(new Date(0).toISOString()),
    () => sweeps.raiseHorizon(new Date(0)),
  ];
}

function aDelivery(): NewDelivery {
  const id = uuidv7();
  return {
    id,
    event_id: id,
    event_type: 'job.succeeded',
    account_id: ACCOUNT,
    job_id: id,
    host: 'example.com:443',
    url: 'https://example.com/',
    body: '{}',
  };
}
